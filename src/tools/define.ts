import type { ContentBlock, StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isObject } from '../core/base/json-schema/values.ts';
import type { Caller, Scope } from '../core/base/shared/caller.ts';
import type { Services } from '../core/services.ts';

export interface ToolContext {
  caller: Caller;
  services: Services;
  signal: AbortSignal;
  /** Why the agent calls, in its own words. */
  intent?: string | undefined;
}

/** Every hint is explicit: clients differ in their defaults. */
interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export interface ToolDefinition<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  description: string;
  /**
   * The tool's part of the server's instructions, in one or two sentences with the words that
   * people search with.
   */
  instruction: string;
  /** Keys without these scopes do not see the tool. */
  scopes: readonly Scope[];
  input: Input;
  /** The schema that checks these arguments, where `input` is a short form of it for lists. */
  checks?(args: Record<string, unknown>): z.ZodType;
  output: Output;
  annotations: ToolAnnotations;
  run(input: z.output<Input>, context: ToolContext): Promise<z.output<Output>>;
  /**
   * The answer as a person reads it. Some hosts show a model this alone, others the answer alone,
   * so each has all. Default: `readableText`.
   */
  text?(answer: z.output<Output>): string;
  /** Content blocks after the text. If this fails, a text in their place gives the reason. */
  blocks?(answer: z.output<Output>, input: z.output<Input>, context: ToolContext): Promise<ContentBlock[]>;
  /** The address of the view in which hosts of MCP Apps show the answer. */
  view?: string;
  /**
   * Asks hosts that defer tools until a search finds them to load this one immediately. For few: it
   * costs every conversation.
   */
  alwaysLoad?: true;
  /** Members that are described in another place, to save tokens. */
  elsewhere?: { input?: Elsewhere; output?: Elsewhere };
}

/**
 * By path (`numerator.filters`): the words that take the place of the member's schema, or no words
 * where a description takes none. The zod schemas still check it.
 */
type Elsewhere = Record<string, string>;

/** Checks a tool's types, then erases them so that tools can share a list. */
export function defineTool<I extends z.ZodType, O extends z.ZodType>(tool: ToolDefinition<I, O>): ToolDefinition {
  return tool as unknown as ToolDefinition;
}

/** Each call adds a record. */
export const RECORDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

/**
 * Adds to what there is, and changes nothing that others see already. The same call again adds
 * nothing.
 */
export const ADDS: ToolAnnotations = { ...RECORDS, idempotentHint: true };

/** Changes and removes what others see. The same call again changes nothing. */
export const CHANGES: ToolAnnotations = { ...ADDS, destructiveHint: true };

export const READ_ONLY: ToolAnnotations = { ...ADDS, readOnlyHint: true };

/**
 * For hosts, besides the protocol: the tool's view (MCP Apps; the second member is for older
 * hosts), and Claude Code's word for a tool that is not deferred.
 */
export function metaOf({ view, alwaysLoad }: ToolDefinition): { _meta?: Record<string, unknown> } {
  const meta = {
    ...(alwaysLoad && { 'anthropic/alwaysLoad': true }),
    ...(view !== undefined && { ui: { resourceUri: view }, 'ui/resourceUri': view }),
  };
  return Object.keys(meta).length > 0 ? { _meta: meta } : {};
}

/** The JSON is made once per process. Input passes unchecked, because `parse` checks it. */
export function advertise(
  schema: z.ZodType,
  io: 'input' | 'output',
  elsewhere: Elsewhere = {},
): StandardSchemaWithJSON<unknown, unknown> {
  const json = compact(z.toJSONSchema(schema, { io, unrepresentable: 'any' }), true) as Json;
  for (const [path, words] of Object.entries(elsewhere)) referTo(json, path, words);
  if (io === 'input') return advertiseJson(json);
  return advertiseJson(open(json) as Json, (value) => checkOutput(schema, value));
}

/** The names of a schema's members, at every depth. */
export function memberNames(schema: z.ZodType): ReadonlySet<string> {
  const names = new Set<string>();
  const collect = (json: unknown): void => {
    if (typeof json !== 'object' || json === null) return;
    for (const [key, value] of Object.entries(json)) {
      if (key === 'properties') for (const name of Object.keys(value)) names.add(name);
      collect(value);
    }
  };
  collect(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  return names;
}

/** The arguments in lists of tools: every tool takes an intent beside its own. */
export function advertiseArguments({ input, elsewhere }: ToolDefinition): StandardSchemaWithJSON<unknown, unknown> {
  const json = advertise(input, 'input', elsewhere?.input)['~standard'].jsonSchema.input({
    target: 'draft-2020-12',
  }) as Json;
  return advertiseJson({ ...json, properties: { ...(json.properties as Json), intent: INTENT } });
}

export function advertiseJson(
  json: Json,
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

type Json = Record<string, unknown>;

/** An argument of every tool. */
const INTENT = { type: 'string', description: 'Why you ask.' };

const FREE_OBJECT = { type: 'object', additionalProperties: true };

function referTo(schema: Json, path: string, words: string): void {
  const names = path.split('.');
  const name = names.pop()!;
  const properties = propertiesOf(names.reduce((parent, one) => propertiesOf(parent)[one]!, schema));
  const { type, description: _, default: __, ...rest } = properties[name]!;
  if (words === '') {
    properties[name] = { type, ...rest };
    return;
  }
  const free = type === 'array' ? { type, items: FREE_OBJECT } : type === 'string' ? { type } : FREE_OBJECT;
  properties[name] = { description: words, ...free };
}

/** The properties of an object, or of the objects in an array. */
function propertiesOf(schema: Json): Record<string, Json> {
  return ((schema.items ?? schema) as Json).properties as Record<string, Json>;
}

/**
 * Objects of answers may have any members, which is the default: a client with an older list takes
 * an answer with a new one.
 */
function open(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(open);
  if (!isObject(schema)) return schema;
  const kept = Object.entries(schema).filter(([key, value]) => !isOpen(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, open(value)]));
}

function isOpen(key: string, value: unknown): boolean {
  if (key === 'additionalProperties') return typeof value === 'boolean';
  return key === 'items' && value === FREE_OBJECT;
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
