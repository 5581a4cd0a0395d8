# Fish completion for warpseed: commands, their flags, and files that fit.
# cmake --install puts it where Debian's fish finds it; or: source share/completions/warpseed.fish

# True where the command line's subcommand is one of those given.
function __warpseed_command
    set -l words (commandline -opc)
    test (count $words) -ge 2; or return
    test $words[2] = mem; and set words[2] align
    contains -- $words[2] $argv
end

function __warpseed_no_command
    test (count (commandline -opc)) -eq 1
end

function __warpseed_no_mode
    test (count (commandline -opc)) -eq 2; and __warpseed_command overlap
end

complete -c warpseed -n __warpseed_no_command -f
complete -c warpseed -n __warpseed_no_command -a index -d 'Sort the suffixes of a reference into an index file'
complete -c warpseed -n __warpseed_no_command -a align -d 'Align reads'
complete -c warpseed -n __warpseed_no_command -a merge -d 'Make one file of the shards of a run'
complete -c warpseed -n __warpseed_no_command -a query -d 'Count or locate patterns, exactly or with differences'
complete -c warpseed -n __warpseed_no_command -a overlap -d 'Find what sequences have in common'
complete -c warpseed -n __warpseed_no_command -a collapse -d 'Merge identical reads or pairs and count them'
complete -c warpseed -n __warpseed_no_command -a inspect -d 'Show, check or unpack an index file'
complete -c warpseed -n __warpseed_no_command -a backends -d 'List what can compute here'
complete -c warpseed -n __warpseed_no_command -l help -d 'Print help and exit'
complete -c warpseed -n __warpseed_no_command -l version -d 'Print the version and exit'

# ---- several commands
complete -c warpseed -n '__warpseed_command index inspect query overlap align collapse merge' -l backend -x -a 'auto cpu cuda' -d 'Where to compute'
complete -c warpseed -n '__warpseed_command index inspect query overlap align collapse merge' -s t -l threads -x -d 'CPU threads'
complete -c warpseed -n '__warpseed_command index inspect query overlap collapse merge' -s q -l quiet -d 'Say nothing but errors'
complete -c warpseed -n '__warpseed_command align' -l quiet -d 'Say nothing but errors'
complete -c warpseed -n '__warpseed_command index inspect query overlap align collapse merge' -l verbose -d 'Say more'
complete -c warpseed -n '__warpseed_command index inspect query overlap collapse merge backends' -s h -l help -d 'Print help and exit'
complete -c warpseed -n '__warpseed_command index inspect query overlap align collapse merge' -s o -l output -r -d 'File to write'

# ---- index
complete -c warpseed -n '__warpseed_command index' -l sa-sample -x -a '1 2 4 8 16 32 64 128 256' -d 'Keep the text position of every Nth row'
complete -c warpseed -n '__warpseed_command index' -l sorter -x -a 'automatic prefix-doubling skew skew-prefix-doubling difference-cover divsufsort' -d 'Suffix sorter'
complete -c warpseed -n '__warpseed_command index' -l memory -x -d 'Memory to use at most, such as 22G'
complete -c warpseed -n '__warpseed_command index align' -l estimate -d 'Print memory, disk and time of the run, and do not run'
complete -c warpseed -n '__warpseed_command index' -l verify -d 'Check what was made against the text'

# ---- inspect
complete -c warpseed -n '__warpseed_command inspect' -l summary -d 'Contigs, sections and how it was built'
complete -c warpseed -n '__warpseed_command inspect' -l fasta -d 'The reference as FASTA'
complete -c warpseed -n '__warpseed_command inspect' -l verify -d 'Checksums, and every row against the text'
complete -c warpseed -n '__warpseed_command inspect' -l warm -d 'Read the file into memory that jobs share'

# ---- query
complete -c warpseed -n '__warpseed_command query align' -l load -d 'Read the index into memory of this process'
complete -c warpseed -n '__warpseed_command query' -l locate -d 'Write every position instead of the counts'
complete -c warpseed -n '__warpseed_command query' -l mismatches -x -d 'Find every position with at most this many mismatches'
complete -c warpseed -n '__warpseed_command query' -l edits -x -d 'Find every alignment with at most this many edits'
complete -c warpseed -n '__warpseed_command query' -l bulges -x -d 'Bases of bulges besides mismatches'
complete -c warpseed -n '__warpseed_command query' -l pam -x -d 'Codes that follow guides, such as NGG'
complete -c warpseed -n '__warpseed_command query' -l pam-5 -x -d 'Codes that precede guides, such as TTTV'
complete -c warpseed -n '__warpseed_command query' -l annotation -r -d 'GFF3, GTF or BED to label occurrences with'
complete -c warpseed -n '__warpseed_command query' -l feature -x -d 'Type of feature that counts as coding'
complete -c warpseed -n '__warpseed_command query' -l allow-missing -d 'The annotation may be on contigs that are not there'
complete -c warpseed -n '__warpseed_command query' -l genome-iupac -d 'Match IUPAC codes of the reference: not possible, says why'
complete -c warpseed -n '__warpseed_command query' -l best -d 'Only the occurrences with the fewest differences'
complete -c warpseed -n '__warpseed_command query' -l max-hits -x -d 'Positions to write of a pattern at most'
complete -c warpseed -n '__warpseed_command query' -l strand -x -a 'both forward reverse' -d 'Strands to search'
complete -c warpseed -n '__warpseed_command query' -l format -x -a 'tsv bed' -d 'Output format; bed needs --locate'

# ---- collapse
complete -c warpseed -n '__warpseed_command collapse' -s p -l interleaved -d 'READS holds mates one after the other'
complete -c warpseed -n '__warpseed_command collapse' -s O -l output2 -r -d 'File for second mates'
complete -c warpseed -n '__warpseed_command collapse' -l format -x -a 'auto fastq fasta tsv' -d 'Output format'
complete -c warpseed -n '__warpseed_command collapse' -l representative -x -a 'best first' -d 'Which of the identical reads is written'
complete -c warpseed -n '__warpseed_command collapse' -l reverse-complement -d 'A read is identical to its reverse complement'
complete -c warpseed -n '__warpseed_command collapse' -l order -x -a 'count input' -d 'Order of the output'
complete -c warpseed -n '__warpseed_command collapse' -l min-count -x -d 'Write what occurs at least so often'

# ---- merge
complete -c warpseed -n '__warpseed_command merge' -l output-format -x -a 'sam bam cram' -d 'Output format'
complete -c warpseed -n '__warpseed_command merge' -l compression-level -x -a '0 1 2 3 4 5 6 7 8 9' -d 'For BAM and CRAM'
complete -c warpseed -n '__warpseed_command merge' -l reference -r -d 'FASTA that CRAM is compressed against'
complete -c warpseed -n '__warpseed_command merge' -l json -r -d 'File for statistics of all reads'
complete -c warpseed -n '__warpseed_command merge' -l html -r -d 'File for the same statistics as a page'

# ---- overlap
complete -c warpseed -n __warpseed_no_mode -f -a 'longest matches pairs lcs mems lce'
complete -c warpseed -n '__warpseed_command overlap' -l self -d 'Compare TARGET with itself'
complete -c warpseed -n '__warpseed_command overlap' -l strand -x -a 'both forward reverse' -d 'Strands of the queries'
complete -c warpseed -n '__warpseed_command overlap' -l min-length -x -d 'Bases that a match has at least'
complete -c warpseed -n '__warpseed_command overlap' -l unique -d 'Bases once in TARGET and once in the query (MUM)'
complete -c warpseed -n '__warpseed_command overlap' -l unique-in-target -d 'Bases once in TARGET (MAM)'
complete -c warpseed -n '__warpseed_command overlap' -l ties -d 'Every region of that length, not the first alone'
complete -c warpseed -n '__warpseed_command overlap' -l table -r -d 'Positions of pairs, six columns'
complete -c warpseed -n '__warpseed_command overlap' -l annotation -r -d 'GFF3, GTF or BED of TARGET'
complete -c warpseed -n '__warpseed_command overlap' -l query-annotation -r -d 'GFF3, GTF or BED of the queries'
complete -c warpseed -n '__warpseed_command overlap' -l feature -x -a 'CDS exon gene five_prime_UTR three_prime_UTR' -d 'Type of feature that counts'
complete -c warpseed -n '__warpseed_command overlap' -l label -d 'Label regions by the features that they are in'
complete -c warpseed -n '__warpseed_command overlap' -l allow-missing -d 'The annotation may be on sequences that are not there'
complete -c warpseed -n '__warpseed_command overlap' -l format -x -a 'tsv bed bed-query paf mums' -d 'Output format'
complete -c warpseed -n '__warpseed_command overlap' -l fasta -r -d 'FASTA file for the bases of the regions'
complete -c warpseed -n '__warpseed_command overlap' -l plot -r -d 'SVG, PDF or PNG file for a picture of the regions'
complete -c warpseed -n '__warpseed_command overlap' -l plot-title -x -d 'title of the picture'
complete -c warpseed -n '__warpseed_command overlap' -l html -r -d 'File for a page with the picture'

# ---- align
complete -c warpseed -n '__warpseed_command align' -l help -d 'Print help and exit'
complete -c warpseed -n '__warpseed_command align' -s 1 -r -d 'Files of reads, instead of R1'
complete -c warpseed -n '__warpseed_command align' -s 2 -r -d 'Files of their mates, instead of R2'
complete -c warpseed -n '__warpseed_command align' -s p -d 'R1 holds mates one after the other, or single reads'
complete -c warpseed -n '__warpseed_command align' -l input-reference -r -d 'FASTA that R1 was compressed against'
complete -c warpseed -n '__warpseed_command align' -l output-format -x -a 'sam bam cram paf' -d 'Output format'
complete -c warpseed -n '__warpseed_command align' -l compression-level -x -a '0 1 2 3 4 5 6 7 8 9' -d 'For BAM and CRAM'
complete -c warpseed -n '__warpseed_command align' -l reference -r -d 'FASTA that CRAM is compressed against'
complete -c warpseed -n '__warpseed_command align' -l sort -d 'By coordinate, with an index file next to the output'
complete -c warpseed -n '__warpseed_command align' -l sort-memory -x -d 'Memory for sorting, such as 2G'
complete -c warpseed -n '__warpseed_command align' -l tmp-dir -x -a '(__fish_complete_directories)' -d 'Folder for sorted runs that go to disk'
complete -c warpseed -n '__warpseed_command align' -l shard -x -d 'Align part I of N of the reads'
complete -c warpseed -n '__warpseed_command align' -l plan -r -d 'What --learn-only has written'
complete -c warpseed -n '__warpseed_command align' -l learn-only -d 'Write a plan for the parts of a run, no records'
complete -c warpseed -n '__warpseed_command align' -l memory -x -d 'Device memory to use at most on each GPU'
complete -c warpseed -n '__warpseed_command align' -l mark-duplicates -d 'Set flag 0x400 where samtools markdup would'
complete -c warpseed -n '__warpseed_command align' -s R -l read-group -x -d 'Read group line for all reads, or for a lane'
complete -c warpseed -n '__warpseed_command align' -s H -r -d 'Header line, or file of lines'
complete -c warpseed -n '__warpseed_command align' -s C -d 'Append the comments of FASTQ and FASTA to the records'
complete -c warpseed -n '__warpseed_command align' -l json -r -d 'File for statistics'
complete -c warpseed -n '__warpseed_command align' -l map -d 'Map the file of the index'
complete -c warpseed -n '__warpseed_command align' -l html -r -d 'File for the same statistics as a page'
complete -c warpseed -n '__warpseed_command align' -l summary -x -a 'warpseed bowtie2' -d 'Form of the summary'
complete -c warpseed -n '__warpseed_command align' -l cs -x -a 'none short long' -d 'Tag cs: differences as minimap2 writes them'
complete -c warpseed -n '__warpseed_command align' -l ds -d 'Tag ds: cs with the bases by which a gap could move'
complete -c warpseed -n '__warpseed_command align' -l eqx -d '= and X instead of M in CIGARs'
complete -c warpseed -n '__warpseed_command align' -s x -x -a 'auto sr hifi ont intractg' -d 'Kind of reads'
complete -c warpseed -n '__warpseed_command align' -s k -x -d 'Shortest seed'
complete -c warpseed -n '__warpseed_command align' -s w -x -d 'Band width'
complete -c warpseed -n '__warpseed_command align' -s d -x -d 'Stop an extension that falls this far below its best'
complete -c warpseed -n '__warpseed_command align' -s r -x -d 'Look within seeds longer than -k times this'
complete -c warpseed -n '__warpseed_command align' -s y -x -d 'Seed occurrence for the 3rd round of seeding'
complete -c warpseed -n '__warpseed_command align' -s c -x -d 'Use at most this many occurrences of a seed'
complete -c warpseed -n '__warpseed_command align' -s D -x -d 'Drop chains shorter than this fraction of the longest overlapping chain'
complete -c warpseed -n '__warpseed_command align' -s m -x -d 'Mate rescues for a read'
complete -c warpseed -n '__warpseed_command align' -s A -x -d 'Score of a match'
complete -c warpseed -n '__warpseed_command align' -s B -x -d 'Penalty of a mismatch'
complete -c warpseed -n '__warpseed_command align' -s U -x -d 'Penalty for an unpaired read pair'
complete -c warpseed -n '__warpseed_command align' -s T -x -d 'Least score that is reported'
complete -c warpseed -n '__warpseed_command align' -s h -x -d 'XA lists at most this many alternatives'
complete -c warpseed -n '__warpseed_command align' -s O -x -d 'Gap open penalty: deletions, insertions'
complete -c warpseed -n '__warpseed_command align' -s E -x -d 'Gap extension penalty: deletions, insertions'
complete -c warpseed -n '__warpseed_command align' -s L -x -d 'Penalty for clipping'
complete -c warpseed -n '__warpseed_command align' -s I -x -d 'Insert size'
complete -c warpseed -n '__warpseed_command align' -l alt -r -d 'List of ALT contigs'
complete -c warpseed -n '__warpseed_command align' -s j -d 'ALT contigs are contigs as others'
complete -c warpseed -n '__warpseed_command align' -s S -d 'No mate rescue'
complete -c warpseed -n '__warpseed_command align' -s P -d 'No pairing'
complete -c warpseed -n '__warpseed_command align' -s a -d 'All alignments, as secondary records'
complete -c warpseed -n '__warpseed_command align' -s Y -d 'Soft clips in supplementary records'
complete -c warpseed -n '__warpseed_command align' -s M -d 'Supplementary records as secondary ones'
complete -c warpseed -n '__warpseed_command align' -s q -d 'Keep the MAPQ of supplementary alignments'
complete -c warpseed -n '__warpseed_command align' -s 5 -d 'The part that begins first in the read is the primary one'
complete -c warpseed -n '__warpseed_command align' -s v -x -a '0 1 2 3 4' -d 'Verbosity, as in bwa'
