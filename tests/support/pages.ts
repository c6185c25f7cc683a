/**
 * The rows of all pages of a list, each read after the last row before it. A page of fewer rows than `limit` is the
 * last one.
 */
export async function rowsOf<Row>(limit: number, read: (last: Row | null) => Promise<readonly Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await read(rows.at(-1) ?? null);
    rows.push(...page);
    if (page.length < limit) return rows;
  }
}
