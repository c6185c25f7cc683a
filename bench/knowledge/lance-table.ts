/**
 * Rows as a table of Arrow: numbers, texts, and vectors as the memory that they are, which is the fastest way into LanceDB.
 */
export function lanceTable(
  // biome-ignore lint/suspicious/noExplicitAny: installed by the bench alone, and without types here
  arrow: any,
  { row, text }: { row: number[]; text: string[] },
  vectors: Float32Array,
  dimensions: number,
) {
  const item = new arrow.Field('item', new arrow.Float32(), true);
  const data = arrow.makeData({
    type: new arrow.FixedSizeList(dimensions, item),
    length: row.length,
    nullCount: 0,
    child: arrow.makeData({ type: new arrow.Float32(), length: vectors.length, nullCount: 0, data: vectors }),
  });
  return new arrow.Table({
    row: arrow.vectorFromArray(row, new arrow.Int32()),
    text: arrow.vectorFromArray(text, new arrow.Utf8()),
    vector: new arrow.Vector([data]),
  });
}
