/**
 * On documents d: no earlier one that is found has the same content. With `tests`, on chunks c too:
 * none whose same chunk passes them, which are on `earlier_chunk` and `earlier`. Documents that
 * came first have `repeated` 0.
 */
export function isFirst(prefix: '' | 'knowledge_', tests?: string): string {
  const chunk = `JOIN ${prefix}chunks earlier_chunk ON earlier_chunk.document = earlier.id AND earlier_chunk.seq = c.seq`;
  return `(d.repeated = 0 OR NOT EXISTS (SELECT 1 FROM ${prefix}documents earlier ${tests === undefined ? '' : chunk}
    WHERE earlier.store = d.store AND earlier.content = d.content AND earlier.id < d.id
    AND earlier.completed_at IS NOT NULL AND earlier.removed_at IS NULL ${tests === undefined ? '' : `AND ${tests}`}))`;
}
