process WARPSEED_ALIGN {
    tag "${meta.id}"
    label 'process_high'

    conda "${moduleDir}/environment.yml"
    container "${params.warpseed_container ?: 'warpseed:latest'}"

    input:
    tuple val(meta) , path(reads)
    tuple val(meta2), path(index)
    tuple val(meta3), path(fasta)
    val   sort_bam

    output:
    tuple val(meta), path("*.bam")         , emit: bam , optional: true
    tuple val(meta), path("*.cram")        , emit: cram, optional: true
    tuple val(meta), path("*.{bai,csi}")   , emit: bai , optional: true
    tuple val(meta), path("*.crai")        , emit: crai, optional: true
    tuple val(meta), path("*.warpseed.json"), emit: json
    tuple val(meta), path("*.statistics")  , emit: statistics, optional: true
    path "versions.yml"                    , emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args      = task.ext.args ?: ''
    def prefix    = task.ext.prefix ?: "${meta.id}"
    def extension = args.contains('--output-format cram') ? 'cram' : 'bam'
    def reference = fasta && extension == 'cram' ? "--reference ${fasta}" : ''
    def sorting   = sort_bam ? '--sort --tmp-dir .' : ''
    """
    warpseed align --threads ${task.cpus} ${sorting} ${reference} ${args} \\
        --json ${prefix}.warpseed.json -o ${prefix}.${extension} ${index} ${reads}

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        warpseed: \$(warpseed --version | sed 's/^warpseed //')
    END_VERSIONS
    """

    stub:
    def args      = task.ext.args ?: ''
    def prefix    = task.ext.prefix ?: "${meta.id}"
    def extension = args.contains('--output-format cram') ? 'cram' : 'bam'
    def indexed   = sort_bam ? "touch ${prefix}.${extension}.${extension == 'cram' ? 'crai' : 'bai'}" : ''
    """
    touch ${prefix}.${extension} ${prefix}.warpseed.json
    ${indexed}

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        warpseed: \$(warpseed --version | sed 's/^warpseed //')
    END_VERSIONS
    """
}
