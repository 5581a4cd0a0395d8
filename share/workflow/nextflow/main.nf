// From a table of samples to sorted BAM files with duplicates marked, their indices, and reports:
//   nextflow run THIS-FOLDER -profile slurm --samples samples.tsv --reference ref.fa.gz --parts 16 --outdir results
// nextflow.config has the parameters, ../README.md describes the table.

include { WARPSEED_INDEX } from '../nf-core/warpseed/index/main'
include { WARPSEED_MERGE } from '../nf-core/warpseed/merge/main'

/** What a run takes, by the names of `warpseed ... --estimate`. */
def estimate(arguments) {
    def command = ['warpseed'] + arguments + ['--estimate', '--quiet', '--threads', params.threads]
    def run = command.collect { word -> word.toString() }.execute()
    def table = new StringBuilder()
    def message = new StringBuilder()
    run.waitForProcessOutput(table, message)
    if (run.exitValue() != 0) { error "warpseed --estimate: ${message}" }
    return table.readLines().collectEntries { line -> [(line.tokenize('\t')[0]): line.tokenize('\t')[1] as long] }
}

/** The estimate of aligning lanes; files of second mates only for pairs. */
def estimateAlign(index, reads1, reads2) {
    def lanes = [reads1.join(','), reads2.join(',')].findAll()
    return estimate(['align', '--sort', index] + lanes)
}

/** A lane of the table, whose paths are relative to the folder of the table. */
def lane(row, folder) {
    if (!row.sample || row.sample.contains('/') || !row.reads1) { error "${params.samples}: a row needs a sample, without /, and reads1" }
    return [row.sample, row.library ?: row.sample, folder.resolve(row.reads1), row.reads2 ? folder.resolve(row.reads2) : []]
}

/** Options for the read groups of the lanes. */
def readGroups(sample, libraries) {
    def groups = libraries.withIndex(1).collect { library, number ->
        def id = libraries.size() > 1 ? "${sample}.${number}" : sample
        "-R '@RG\\tID:${id}\\tSM:${sample}\\tLB:${library}'"
    }
    return groups.join(' ')
}

process ALIGN {
    tag "${meta.id} ${meta.part}"
    publishDir params.outdir, mode: 'copy', enabled: params.parts == 1

    input:
    tuple val(meta), path(reads1, stageAs: 'reads1_*/*'), path(reads2, stageAs: 'reads2_*/*'), path(index)

    output:
    tuple val(meta), path("*.bam") , emit: bam
    tuple val(meta), path("*.{bai,csi}"), emit: bai
    tuple val(meta), path("*.json"), emit: json
    tuple val(meta), path("*.html"), emit: html, optional: true
    tuple val(meta), path("*.statistics"), emit: statistics, optional: true

    script:
    def name  = params.parts > 1 ? "${meta.id}.${meta.part}" : "${meta.id}"
    def shard = params.parts > 1 ? "--shard ${meta.part}/${params.parts}" : "--html ${name}.html"
    def mates = reads2 ? "-2 ${reads2}" : ''
    """
    warpseed align ${index} -1 ${reads1} ${mates} ${meta.groups} --sort --mark-duplicates ${params.extra} \\
        ${shard} --json ${name}.json --threads ${task.cpus} -o ${name}.bam
    """
}

workflow {
    table = file(params.samples, checkIfExists: true)
    if (params.index) {
        index = Channel.value(file(params.index, checkIfExists: true))
    } else {
        fasta = file(params.reference, checkIfExists: true)
        WARPSEED_INDEX(Channel.of([[id: 'reference', needs: estimate(['index', fasta])], fasta]))
        index = WARPSEED_INDEX.out.index.map { meta, built -> built }.first()
    }

    samples = Channel.of(table)
        .splitCsv(header: true, sep: '\t')
        .map { row -> lane(row, table.parent) }
        .groupTuple()
        .map { sample, libraries, reads1, reads2 -> [[id: sample, groups: readGroups(sample, libraries)], reads1, reads2.flatten()] }
    jobs = samples
        .combine(index)
        .map { meta, reads1, reads2, built -> [meta + [needs: estimateAlign(built, reads1, reads2)], reads1, reads2, built] }
        .combine(Channel.of(1..params.parts))
        .map { meta, reads1, reads2, built, part -> [meta + [part: part], reads1, reads2, built] }
    ALIGN(jobs)

    if (params.parts > 1) {
        shards = ALIGN.out.bam
            .join(ALIGN.out.statistics)
            .map { meta, bam, statistics -> [meta.id, bam, statistics] }
            .groupTuple(size: params.parts)
        WARPSEED_MERGE(shards.map { sample, bams, statistics -> [[id: sample], bams, statistics] }, [[id: 'reference'], []])
    }
}
