"""What MultiQC calls before it looks for files."""


def add_search_pattern():
    """Reports are found by their member "program", whatever the file's name. A pattern of the user's settings stays."""
    from multiqc import config  # not above: MultiQC loads this file before its settings exist

    # The member's line is among the first where warpseed wrote the file; the second form is that of compact JSON.
    contents = ('"program": "warpseed align"', '"program":"warpseed align"')
    if "warpseed" not in config.sp:
        config.update_dict(config.sp, {"warpseed": [{"contents": text, "num_lines": 20} for text in contents]})
