import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Services } from '../core/services.ts';
import type { Caller, Scope } from '../core/shared/caller.ts';

export interface ToolContext {
  caller: Caller;
  services: Services;
  /** Aborted when the client cancels or leaves. */
  signal: AbortSignal;
}

/** Every hint is explicit: what a client may assume about a tool is never left to its defaults. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** One MCP tool as data; its file is named as the tool. */
export interface Tool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  description: string;
  /** A key without these scopes does not see the tool. */
  scopes: readonly Scope[];
  input: Input;
  output: Output;
  annotations: ToolAnnotations;
  run(input: z.output<Input>, context: ToolContext): Promise<z.output<Output>>;
  /** The answer as people read it; its JSON when left out. Clients may show this alone, so only long texts may be cut. */
  text?(answer: z.output<Output>): string;
}

/** Keeps a tool's own types while it is written, and lets tools of all types share a list. */
export function defineTool<I extends z.ZodType, O extends z.ZodType>(tool: Tool<I, O>): Tool {
  return tool as unknown as Tool;
}

export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/**
 * A schema as the MCP library takes it, with its JSON made once for the life of the process: a tool server is built
 * for every request. Input is handed through unchecked, because `run` is preceded by the same `parse` that REST uses,
 * with the same messages.
 */
export function advertise(schema: z.ZodType, io: 'input' | 'output'): StandardSchemaWithJSON<unknown, unknown> {
  const json = compact(z.toJSONSchema(schema, { io, unrepresentable: 'any' }));
  return {
    '~standard': {
      version: 1,
      vendor: 'agent-runtime',
      validate: (value) => (io === 'input' ? { value } : checkOutput(schema, value)),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

/** A JSON schema as the MCP library takes it, as it stands. Input is handed through unchecked. */
export function advertiseJson(json: Record<string, unknown>): StandardSchemaWithJSON<unknown, unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'agent-runtime',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

/** Bounds that a model never meets cost it tokens with every request; they are checked all the same. */
const NOISE = new Set([
  '$schema',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'pattern',
  'propertyNames',
]);

/** A JSON schema without its noise, and with strictness said once, at the root. */
function compact(schema: Record<string, unknown>, isRoot = true): Record<string, unknown> {
  const kept = Object.entries(schema).filter(
    ([key]) => !NOISE.has(key) && (isRoot || key !== 'additionalProperties' || schema[key] !== false),
  );
  return Object.fromEntries(kept.map(([key, value]) => plainly(key, value) ?? [key, compactValue(key, value)]));
}

/** For clients that know only one type to a schema, and no empty one. */
function plainly(key: string, value: unknown): [string, unknown] | undefined {
  if (key === 'type' && Array.isArray(value)) return ['anyOf', value.map((type) => ({ type }))];
  if (key === 'additionalProperties' && isObject(value) && Object.keys(value).length === 0) return [key, true];
  return undefined;
}

function compactValue(key: string, value: unknown): unknown {
  if (key === 'properties') {
    const properties = value as Record<string, Record<string, unknown>>;
    return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, compact(one, false)]));
  }
  if (Array.isArray(value)) return value.map((item) => (isObject(item) ? compact(item, false) : item));
  return isObject(value) ? compact(value, false) : value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function checkOutput(schema: z.ZodType, value: unknown) {
  const result = schema.safeParse(value);
  return result.success ? { value } : { issues: result.error.issues };
}
