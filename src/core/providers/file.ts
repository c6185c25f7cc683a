import { z } from 'zod';
import { invalid, RuntimeError } from '../errors.ts';
import { listNames, nearestNames } from '../names.ts';
import { parse } from '../parse.ts';
import { type ProviderDefinition, providerDefinitionSchema, providerNameSchema } from './schema.ts';

const MAX_PROVIDERS = 1_000;

const listSchema = z
  .array(z.unknown(), 'must be an array of providers')
  .min(1, 'must hold at least one provider')
  .max(MAX_PROVIDERS, `must hold at most ${MAX_PROVIDERS} providers`);
const wrapperSchema = z.strictObject({
  version: z.literal(1, 'must be 1, the only version that this program knows').optional(),
  providers: listSchema,
});

/**
 * The definitions of a file: one, an array of them, or `{"providers": [...]}`. Throws `invalid` with a message for every
 * fault, each naming the definition and the field, and none repeating what may be a secret.
 */
export function definitionsOf(input: unknown): ProviderDefinition[] {
  const problems: string[] = [];
  const definitions = listOf(input).flatMap((one, index) => {
    try {
      return [parse(providerDefinitionSchema, one)];
    } catch (error) {
      if (!(error instanceof RuntimeError)) throw error;
      problems.push(...error.messages.map((message) => `${labelOf(one, index)}: ${message}`));
      return [];
    }
  });
  const names = definitions.map(({ name }) => name);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) < index));
  problems.push(...[...twice].map((name) => `${quoted(name)}: name: is given twice`));
  if (problems.length > 0) throw invalid(...problems);
  return definitions;
}

function listOf(input: unknown): unknown[] {
  if (Array.isArray(input)) return parse(listSchema, input);
  const isWrapper = typeof input === 'object' && input !== null && 'providers' in input;
  return isWrapper ? parse(wrapperSchema, input).providers : [input];
}

/** A definition by its name, where it has one that can be told, or else by its place. */
function labelOf(one: unknown, index: number): string {
  const { data: name } = providerNameSchema.safeParse((one as { name?: unknown } | null)?.name);
  return name === undefined ? `provider ${index + 1}` : quoted(name);
}

function quoted(name: string): string {
  return `provider ${JSON.stringify(name)}`;
}

/** What falls back on a provider that is not there, or that is one of another vendor. Throws `invalid`. */
export function checkFallbacks(
  definitions: readonly Pick<ProviderDefinition, 'name' | 'provider' | 'fallbacks'>[],
): void {
  const providers = new Map(definitions.map(({ name, provider }) => [name, provider]));
  const problems = definitions.flatMap(({ name, fallbacks }) =>
    fallbacks.flatMap(({ providerName, provider }, index) => {
      if (providerName === undefined) return [];
      const actual = providers.get(providerName);
      if (actual === provider) return [];
      const at = `${quoted(name)}: fallbacks[${index}]`;
      if (actual === undefined) return [`${at}.providerName: ${unknownProvider(providerName, [...providers.keys()])}`];
      return [`${at}.provider: must be ${actual}, as ${JSON.stringify(providerName)} is`];
    }),
  );
  if (problems.length > 0) throw invalid(...problems);
}

/** That there is no provider of this name, and which there are. */
export function unknownProvider(name: string, known: readonly string[]): string {
  const nearest = nearestNames(name, known);
  if (nearest.length > 0) return `there is no provider ${JSON.stringify(name)}; nearest: ${listNames(nearest)}`;
  if (known.length > 0) return `there is no provider ${JSON.stringify(name)}; known: ${listNames(known)}`;
  return `there is no provider ${JSON.stringify(name)}, nor any other; \`providers apply\` installs them`;
}
