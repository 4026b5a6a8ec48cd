// What a script hands back: k6's own numbers as JSON, to the file that bench/k6-run.ts reads.

/** Writes the summary to SUMMARY_FILE and prints nothing. */
export function handleSummary(data: unknown): Record<string, string> {
  return { [__ENV['SUMMARY_FILE'] ?? 'summary.json']: JSON.stringify(data) };
}
