import { z } from 'zod';
import { checkJson } from '../json.ts';

/** A JSON Schema as it stands in a definition. */
export type JsonSchema = Record<string, unknown>;

const MAX_DEPTH = 64;

/** A JSON Schema of the keywords that are understood here. */
export const parameterSchema = z.custom<JsonSchema>().superRefine((value: unknown, context) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    context.addIssue({ code: 'custom', message: 'must be a JSON Schema: an object' });
    return;
  }
  for (const { path, message } of checkJson(value, MAX_DEPTH)) context.addIssue({ code: 'custom', path, message });
});
