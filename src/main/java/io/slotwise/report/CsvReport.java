package io.slotwise.report;

import io.slotwise.report.PlanReport.WindowRow;

/** A plan as CSV (RFC 4180): a row for each pod of each window, and none for waiting gangs. */
public final class CsvReport {
    private CsvReport() {}

    /** Returns the document with CRLF line ends. An unlimited budget is an empty field. */
    public static String write(PlanReport report) {
        CsvText csv =
                new CsvText("\r\n", "gang,pod,node,start,end,runtime_seconds,cost,gang_cost,gang_budget,criterion,via");
        for (WindowRow window : report.windows()) {
            for (WindowRow.PodRow pod : window.placement()) {
                csv.row(
                        window.gang(),
                        pod.pod(),
                        pod.node(),
                        TimeText.instant(pod.start()),
                        TimeText.instant(pod.end()),
                        pod.end() - pod.start(),
                        pod.cost(),
                        window.cost(),
                        window.budget(),
                        window.criterion(),
                        window.via());
            }
        }
        return csv.toString();
    }
}
