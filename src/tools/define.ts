import type { ContentBlock, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isObject } from '../core/json-schema/values.ts';
import type { Services } from '../core/services.ts';
import type { Caller, Scope } from '../core/shared/caller.ts';

export interface ToolContext {
  caller: Caller;
  services: Services;
  signal: AbortSignal;
}

/** Every hint is explicit: clients differ in their defaults. */
interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export interface Tool<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  description: string;
  /** What the server's instructions say of it: one or two sentences. */
  instruction: string;
  /** Keys without these scopes do not see the tool. */
  scopes: readonly Scope[];
  input: Input;
  /** In place of `input` in lists, where it is looser to save tokens. */
  listedInput?: z.ZodType;
  output: Output;
  annotations: ToolAnnotations;
  run(input: z.output<Input>, context: ToolContext): Promise<z.output<Output>>;
  /** Default: JSON. Clients may show only this, so cut only long texts. */
  text?(answer: z.output<Output>): string;
  /** Content blocks after the text. If this fails, a text in their place gives the reason. */
  blocks?(answer: z.output<Output>, input: z.output<Input>, context: ToolContext): Promise<ContentBlock[]>;
  /** The address of the view in which hosts of MCP Apps show the answer. */
  view?: string;
}

/** Checks a tool's types, then erases them so that tools can share a list. */
export function defineTool<I extends z.ZodType, O extends z.ZodType>(tool: Tool<I, O>): Tool {
  return tool as unknown as Tool;
}

export const READ_ONLY: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds to what there is, and changes nothing that others see already. The same call again adds nothing. */
export const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** The JSON is made once per process. Input passes unchecked, because `parse` checks it. */
export function advertise(schema: z.ZodType, io: 'input' | 'output'): StandardSchemaWithJSON<unknown, unknown> {
  const json = compact(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), true) as Record<string, unknown>;
  return advertiseJson(json, io === 'input' ? passUnchecked : (value) => checkOutput(schema, value));
}

export function advertiseJson(
  json: Record<string, unknown>,
  validate: (value: unknown) => ReturnType<typeof checkOutput> = passUnchecked,
): StandardSchemaWithJSON<unknown, unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'agent-runtime',
      validate,
      jsonSchema: { input: () => json, output: () => json },
    },
  };
}

function passUnchecked(value: unknown) {
  return { value };
}

/** Bounds that models rarely reach cost tokens; `parse` still checks them. */
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

/** Without noise, and with `additionalProperties: false` only at the root. */
function compact(schema: unknown, isRoot = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => compact(item));
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(
    ([key, value]) => !NOISE.has(key) && (isRoot || key !== 'additionalProperties' || value !== false),
  );
  return Object.fromEntries(kept.map(([key, value]) => compactMember(key, value)));
}

/** Clients may support only one type per schema, and no empty schema. */
function compactMember(key: string, value: unknown): [string, unknown] {
  if (key === 'type' && Array.isArray(value)) return ['anyOf', value.map((type) => ({ type }))];
  if (key === 'additionalProperties' && isObject(value) && Object.keys(value).length === 0) return [key, true];
  if (key !== 'properties') return [key, compact(value)];
  const properties = Object.entries(value as Record<string, unknown>);
  return [key, Object.fromEntries(properties.map(([name, one]) => [name, compact(one)]))];
}

function checkOutput(schema: z.ZodType, value: unknown) {
  const result = schema.safeParse(value);
  return result.success ? { value } : { issues: result.error.issues };
}
