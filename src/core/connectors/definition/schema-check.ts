import { compiledPattern } from '../../json-schema/patterns.ts';
import {
  isObject,
  type JsonSchema,
  nameOfReference,
  type SchemaProblem,
  visitSubschemas,
} from '../../json-schema/schema.ts';
import type { ConnectorDefinition } from './members.ts';

/** Ten times what the largest public APIs need. */
const MAX_SUBSCHEMAS = 50_000;
/** Regular expressions are compiled when a definition is applied; the worst cost some 40 microseconds a character. */
const MAX_PATTERN = 500;
const MAX_PATTERNS = 50_000;
/** How far a `$ref` may lead to a `$ref` without a step into the data. */
const MAX_CHAIN = 50;
const MAX_PROBLEMS = 20;

/** What is wrong with the JSON Schemas of a definition, each of which has the right shape. */
export function problemsOfSchemas(definition: Pick<ConnectorDefinition, 'schemas' | 'resources'>): SchemaProblem[] {
  const schemas = definition.schemas ?? {};
  const survey = new Survey(schemas);
  for (const [name, schema] of Object.entries(schemas)) survey.add(schema, ['schemas', name]);
  for (const [slug, { parameters }] of Object.entries(definition.resources)) {
    for (const [place, schema] of Object.entries(parameters)) {
      if (schema !== undefined) survey.add(schema, ['resources', slug, 'parameters', place]);
    }
  }
  return survey.problems.length > 0 ? survey.problems : problemsOfChains(schemas);
}

/** One pass over all schemas of a definition. */
class Survey {
  readonly problems: SchemaProblem[] = [];
  private readonly schemas: Record<string, JsonSchema>;
  /** What is wrong with each; nothing: ''. */
  private readonly patterns = new Map<string, string>();
  private subschemas = 0;
  private patternCharacters = 0;

  constructor(schemas: Record<string, JsonSchema>) {
    this.schemas = schemas;
  }

  add(schema: JsonSchema, at: PropertyKey[]): void {
    visitSubschemas(
      schema,
      (one, path) => {
        this.subschemas += 1;
        if (this.subschemas === MAX_SUBSCHEMAS + 1) {
          this.report(at, `is with the others more than ${MAX_SUBSCHEMAS} JSON Schemas; make it several connectors`);
        }
        if (typeof one.$ref === 'string') this.checkReference(one.$ref, [...path, '$ref']);
        if (typeof one.pattern === 'string') this.checkPattern(one.pattern, [...path, 'pattern']);
        for (const pattern of Object.keys((one.patternProperties ?? {}) as object)) {
          this.checkPattern(pattern, [...path, 'patternProperties', pattern]);
        }
      },
      at,
    );
  }

  private checkReference(reference: string, path: PropertyKey[]): void {
    if (!Object.hasOwn(this.schemas, nameOfReference(reference))) this.report(path, 'is not among the schemas');
  }

  private checkPattern(pattern: string, path: PropertyKey[]): void {
    const problem = this.patterns.get(pattern) ?? this.problemOfPattern(pattern);
    this.patterns.set(pattern, problem);
    if (problem !== '') this.report(path, problem);
  }

  private problemOfPattern(pattern: string): string {
    this.patternCharacters += pattern.length;
    if (pattern.length > MAX_PATTERN) return `must have at most ${MAX_PATTERN} characters`;
    if (this.patternCharacters > MAX_PATTERNS) {
      return `is with the other patterns more than ${MAX_PATTERNS} characters; make it several connectors`;
    }
    if (compiledPattern(pattern) !== null) return '';
    return 'is no regular expression of RE2, which has no lookarounds and no backreferences';
  }

  private report(path: PropertyKey[], message: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ path, message });
  }
}

/** A schema that leads to itself without a step into the data would never be done with it. */
function problemsOfChains(schemas: Record<string, JsonSchema>): SchemaProblem[] {
  const lengths = new Map<string, number>();
  const lengthFrom = (name: string, chain: string[]): number => {
    const known = lengths.get(name);
    if (known !== undefined) return known;
    if (chain.includes(name)) throw new ChainProblem([...chain, name], 'refers to itself');
    if (chain.length > MAX_CHAIN)
      throw new ChainProblem(chain.slice(0, 4), `is one of more than ${MAX_CHAIN} in a row`);
    const ahead = referencesOnTheSpot(schemas[name]!).map((next) => lengthFrom(next, [...chain, name]));
    const length = 1 + Math.max(0, ...ahead);
    if (length > MAX_CHAIN) throw new ChainProblem([name], `is one of more than ${MAX_CHAIN} in a row`);
    lengths.set(name, length);
    return length;
  };
  try {
    for (const name of Object.keys(schemas)) lengthFrom(name, []);
    return [];
  } catch (error) {
    if (error instanceof ChainProblem) return [{ path: ['schemas', error.chain[0]!], message: error.message }];
    throw error;
  }
}

class ChainProblem extends Error {
  readonly chain: string[];

  constructor(chain: string[], what: string) {
    super(`${what} without a step into the data: ${chain.join(' -> ')}`);
    this.chain = chain;
  }
}

/** The schemas that the same value is held to. */
function referencesOnTheSpot(schema: JsonSchema): string[] {
  const own = typeof schema.$ref === 'string' ? [nameOfReference(schema.$ref)] : [];
  const others = [schema.not, ...['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schema[keyword] ?? [])];
  return [...own, ...others.filter(isObject).flatMap(referencesOnTheSpot)];
}
