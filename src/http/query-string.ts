import { z } from 'zod';
import { fromQueryString, numberFromQueryString } from '../core/shared/paging.ts';

const NUMBERS = new Set(['limit', 'offset']);

/** An empty value counts as absent. */
export function queryString<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  type Members = { [Name in keyof Shape]: ReturnType<typeof fromQueryString<Shape[Name] & z.ZodType>> };
  const members = Object.entries(shape).map(([name, member]) => {
    const schema = member as z.ZodType;
    return [name, NUMBERS.has(name) ? numberFromQueryString(schema) : fromQueryString(schema)];
  });
  return z.strictObject(Object.fromEntries(members) as Members);
}
