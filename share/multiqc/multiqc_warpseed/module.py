"""The module that MultiQC runs: finds reports, names their samples, adds columns, sections and versions."""

import logging

from multiqc import config

try:  # MultiQC 1.22 and later
    from multiqc.base_module import BaseMultiqcModule, ModuleNoSamplesFound
except ImportError:
    from multiqc.modules import base_module

    BaseMultiqcModule = base_module.BaseMultiqcModule
    ModuleNoSamplesFound = getattr(base_module, "ModuleNoSamplesFound", UserWarning)  # UserWarning before 1.16

from .reports import ReportError, libraries, numbers, parse_report, sample_of
from .sections import sections
from .tables import general_columns

log = logging.getLogger("multiqc.warpseed")  # below MultiQC's own, which shows and keeps its lines


class MultiqcModule(BaseMultiqcModule):
    def __init__(self):
        super().__init__(
            name="warpseed",
            anchor="warpseed",
            info="aligns short and long reads to a genome, on the CPU or with CUDA. These are the reports of "
            "<code>warpseed align --json</code>.",
        )
        reports = self._named(list(self._read_reports()))
        reports = self.ignore_samples(reports)
        if not reports:
            raise ModuleNoSamplesFound
        log.info("Found %d reports", len(reports))
        found = {name: numbers(report) for name, report in reports.items()}
        self._add_versions(found)
        self.write_data_file(found, "multiqc_warpseed")
        if libraries(reports):
            self.write_data_file(libraries(reports), "multiqc_warpseed_libraries")
        columns = general_columns(config)
        self.general_stats_addcols(_only(found, columns), columns)
        for anchor, title, description, plot in sections(reports, found):
            self.add_section(name=title, anchor=f"warpseed_{anchor}", description=description, plot=plot)

    def _read_reports(self):
        """Gives the file and the report of each file that can be read; a log line says why another is left out."""
        for file in self.find_log_files("warpseed"):
            path = f"{file['root']}/{file['fn']}"
            try:
                report = parse_report(file["f"])
                numbers(report)
                yield file, report
            except ReportError as error:
                log.warning("%s is left out: it %s", path, error)
            except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
                log.warning("%s is left out: it is not as its schema says (%s: %s)", path, type(error).__name__, error)

    def _named(self, files):
        """{sample: report}. Files whose read groups name one sample, the same for several files, have their own names:
        lanes of a sample that were aligned one by one, for instance."""
        by_group = [sample_of(report) for _, report in files]
        named = {}
        for (file, report), sample in zip(files, by_group):
            name = file["s_name"]
            if sample is not None and by_group.count(sample) == 1:
                name = self.clean_s_name(sample, file)
            if name in named:
                log.warning("%s/%s replaces another report of the name %s", file["root"], file["fn"], name)
            self.add_data_source(file, name)
            named[name] = report
        return named

    def _add_versions(self, found):
        if hasattr(self, "add_software_version"):  # MultiQC 1.16 and later; the table of runs has them for all
            for name, values in found.items():
                self.add_software_version(values["version"], name)


def _only(found, columns):
    return {name: {key: value for key, value in values.items() if key in columns} for name, values in found.items()}
