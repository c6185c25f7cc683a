interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
}

type Read<Row> = (query: { limit: number; cursor?: string }) => Promise<Page<Row>>;

/** The rows of all pages. */
export async function allOf<Row>(read: Read<Row>, limit = 100): Promise<Row[]> {
  const all: Row[] = [];
  let cursor: string | null = null;
  do {
    const page: Page<Row> = await read({ limit, ...(cursor !== null && { cursor }) });
    all.push(...page.rows);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}
