/** Every script's `handleSummary`: the launcher reads what k6 has counted from a file. */
export function handleSummary(data) {
  return { [__ENV.SUMMARY_FILE]: JSON.stringify(data) };
}
