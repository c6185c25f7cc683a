import { z } from 'zod';
import { invalid, RuntimeError } from './errors.ts';
import { capMessages, parse } from './parse.ts';

const MAX_DEFINITIONS = 1_000;

export interface FileForm<Schema extends z.ZodType, Key extends keyof z.output<Schema> & string> {
  /** Such as `provider`; the plural names the list in a file. */
  noun: string;
  schema: Schema;
  key: Key;
  keySchema: z.ZodType<string>;
}

/**
 * A definition, an array or `{"providers": [...]}`. `invalid` names no value, which may be a
 * secret.
 */
export function definitionsIn<Schema extends z.ZodType, Key extends keyof z.output<Schema> & string>(
  input: unknown,
  { noun, schema, key, keySchema }: FileForm<Schema, Key>,
): z.output<Schema>[] {
  const labelOf = (name: unknown) => `${noun} ${JSON.stringify(name)}`;
  const problems: string[] = [];
  const definitions = listOf(input, noun).flatMap((one, index) => {
    try {
      return [parse(schema, one, { strict: true })];
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      const { data: name } = keySchema.safeParse((one as Record<string, unknown> | null)?.[key]);
      const label = name === undefined ? `${noun} ${index + 1}` : labelOf(name);
      problems.push(...error.messages.map((message) => `${label}: ${message}`));
      return [];
    }
  });
  const names = definitions.map((definition) => definition[key]);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) < index));
  problems.push(...[...twice].map((name) => `${labelOf(name)}: ${key}: is given twice`));
  if (problems.length > 0) throw invalid(...capMessages(problems));
  return definitions;
}

function listOf(input: unknown, noun: string): unknown[] {
  const member = `${noun}s`;
  const listSchema = z
    .array(z.unknown(), `must be an array of ${member}`)
    .min(1, `must hold at least one ${noun}`)
    .max(MAX_DEFINITIONS, `must hold at most ${MAX_DEFINITIONS} ${member}`);
  if (Array.isArray(input)) return parse(listSchema, input, { strict: true });
  if (typeof input !== 'object' || input === null || !(member in input)) return [input];
  const wrapperSchema = z.strictObject({
    version: z.literal(1, 'must be 1, the only version that this program knows').optional(),
    [member]: listSchema,
  });
  return parse(wrapperSchema, input, { strict: true })[member] as unknown[];
}
