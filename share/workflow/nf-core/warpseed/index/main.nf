process WARPSEED_INDEX {
    tag "${fasta}"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${params.warpseed_container ?: 'warpseed:latest'}"

    input:
    tuple val(meta), path(fasta)

    output:
    tuple val(meta), path("*.wsi"), emit: index
    path "versions.yml"           , emit: versions

    when:
    task.ext.when == null || task.ext.when

    script:
    def args   = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${fasta}"
    """
    warpseed index --threads ${task.cpus} ${args} -o ${prefix}.wsi ${fasta}

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        warpseed: \$(warpseed --version | sed 's/^warpseed //')
    END_VERSIONS
    """

    stub:
    def prefix = task.ext.prefix ?: "${fasta}"
    """
    touch ${prefix}.wsi

    cat <<-END_VERSIONS > versions.yml
    "${task.process}":
        warpseed: \$(warpseed --version | sed 's/^warpseed //')
    END_VERSIONS
    """
}
