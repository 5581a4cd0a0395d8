process WARPSEED_MERGE {
    tag "${meta.id}"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${params.warpseed_container ?: 'warpseed:latest'}"

    input:
    tuple val(meta) , path(shards, stageAs: 'shards/*'), path(statistics, stageAs: 'shards/*')
    tuple val(meta2), path(fasta)

    output:
    tuple val(meta), path("*.bam")       , emit: bam , optional: true
    tuple val(meta), path("*.cram")      , emit: cram, optional: true
    tuple val(meta), path("*.{bai,csi}") , emit: bai , optional: true
    tuple val(meta), path("*.crai")      , emit: crai, optional: true
    tuple val(meta), path("*.json")      , emit: json, optional: true
    tuple val(meta), path("*.html")      , emit: html, optional: true
    path "versions.yml"                  , emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args      = task.ext.args ?: ''
    def prefix    = task.ext.prefix ?: "${meta.id}"
    def extension = args.contains('--output-format cram') ? 'cram' : 'bam'
    def reference = fasta && extension == 'cram' ? "--reference ${fasta}" : ''
    def reports   = statistics ? "--json ${prefix}.warpseed.json --html ${prefix}.warpseed.html" : ''
    """
    warpseed merge --threads ${task.cpus} ${reference} ${reports} ${args} -o ${prefix}.${extension} ${shards}

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        warpseed: \$(warpseed --version | sed 's/^warpseed //')
    END_VERSIONS
    """

    stub:
    def args      = task.ext.args ?: ''
    def prefix    = task.ext.prefix ?: "${meta.id}"
    def extension = args.contains('--output-format cram') ? 'cram' : 'bam'
    def reports   = statistics ? "${prefix}.warpseed.json ${prefix}.warpseed.html" : ''
    """
    touch ${prefix}.${extension} ${prefix}.${extension}.${extension == 'cram' ? 'crai' : 'bai'} ${reports}

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        warpseed: \$(warpseed --version | sed 's/^warpseed //')
    END_VERSIONS
    """
}
