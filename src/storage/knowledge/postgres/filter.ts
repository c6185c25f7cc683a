import type { MetadataTest } from '../../../core/knowledge/filter.ts';
import type { Values } from './values.ts';

const COMPARED = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/**
 * A condition on `knowledge_chunks c` and `knowledge_documents d`, whose metadata `testedMetadata`
 * has made. A missing key passes `notIn` and `exists: false` only.
 */
export function conditionOf(tests: readonly MetadataTest[], values: Values, chunk = 'c', document = 'd'): string {
  return (
    tests
      .map((test) => {
        const key = values.text(test.key);
        return `(${onKey(test, values, `coalesce(${chunk}.tested -> ${key}, ${document}.tested -> ${key})`)})`;
      })
      .join(' AND ') || 'true'
  );
}

/** In the chunk's metadata, then in its document's. */
function onKey(test: MetadataTest, values: Values, own: string): string {
  switch (test.test) {
    case 'exists':
      return `${own} IS ${test.value ? 'NOT NULL' : 'NULL'}`;
    case 'in':
      return isIn(own, test.values, values);
    case 'notIn':
      return `(${isIn(own, test.values, values)}) IS NOT TRUE`;
    case 'contains':
      return `CASE jsonb_typeof(${own}) WHEN 'array' THEN jsonb_exists(${own}, ${values.text(test.value)})
        ELSE strpos(coalesce(${own} ->> 'lower', ${own} ->> 'text'), ${values.text(test.value.toLowerCase())}) > 0 END`;
    default:
      return typeof test.value === 'number'
        ? `CASE jsonb_typeof(${own}) WHEN 'number' THEN ${own} ELSE ${own} -> 'number' END
            ${COMPARED[test.test]} ${values.json(test.value)}`
        : `(${own} ->> 'text') COLLATE "C" ${COMPARED[test.test]} ${values.text(test.value)}`;
  }
}

/** Types matter: the text "1" is not the number 1, nor is true. */
function isIn(own: string, wanted: readonly (string | number | boolean)[], values: Values): string {
  const texts = wanted.filter((one) => typeof one === 'string');
  const others = wanted.filter((one) => typeof one !== 'string').map((one) => JSON.stringify(one));
  const conditions = [
    ...(texts.length > 0 ? [`${own} ->> 'text' = ANY (${values.list('text', texts)})`] : []),
    ...(others.length > 0 ? [`${own} = ANY (${values.list('jsonb', others)})`] : []),
  ];
  return conditions.join(' OR ');
}
