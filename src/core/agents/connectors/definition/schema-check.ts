import { compiledPattern } from '../../../base/json-schema/evaluation.ts';
import { endlessReferences, MAX_CHAIN, nameOfReference } from '../../../base/json-schema/references.ts';
import { type SchemaProblem, visitSubschemas } from '../../../base/json-schema/schema.ts';
import type { JsonSchema } from '../../../base/json-schema/values.ts';
import type { Resource } from './resource-schema.ts';

const MAX_PATTERN = 500;

/** Counts each distinct pattern once: compiling takes up to 40 microseconds a character. */
export class Patterns {
  private readonly maxCharacters: number;
  private readonly problems = new Map<string, string>();
  private characters = 0;

  constructor(maxCharacters: number) {
    this.maxCharacters = maxCharacters;
  }

  /** '' for a valid pattern. */
  problemOf(pattern: string): string {
    const problem = this.problems.get(pattern) ?? this.check(pattern);
    this.problems.set(pattern, problem);
    return problem;
  }

  private check(pattern: string): string {
    if (pattern.length > MAX_PATTERN) return `must have at most ${MAX_PATTERN} characters`;
    if (this.characters + pattern.length > this.maxCharacters) {
      return `is with the other patterns more than ${this.maxCharacters} characters; make it several connectors`;
    }
    if (compiledPattern(pattern) === null) {
      return 'is not a regular expression of RE2, which has no lookarounds and no backreferences';
    }
    this.characters += pattern.length;
    return '';
  }
}

/** Ten times the number in the largest public APIs. */
const MAX_SUBSCHEMAS = 50_000;
const MAX_PATTERN_CHARACTERS = 50_000;
const MAX_PROBLEMS = 20;

interface DefinedSchemas {
  schemas?: Record<string, JsonSchema> | undefined;
  resources: Record<string, Pick<Resource, 'parameters'>>;
}

export function problemsOfSchemas(definition: DefinedSchemas): SchemaProblem[] {
  const schemas = definition.schemas ?? {};
  const survey = new Survey(schemas);
  for (const [name, schema] of Object.entries(schemas)) survey.add(schema, ['schemas', name]);
  for (const [slug, { parameters }] of Object.entries(definition.resources)) {
    for (const [location, schema] of Object.entries(parameters)) {
      if (schema !== undefined) survey.add(schema, ['resources', slug, 'parameters', location]);
    }
  }
  return survey.problems.length > 0 ? survey.problems : problemsOfChains(schemas);
}

class Survey {
  readonly problems: SchemaProblem[] = [];
  private readonly schemas: Record<string, JsonSchema>;
  private readonly patterns = new Patterns(MAX_PATTERN_CHARACTERS);
  private subschemas = 0;

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
    if (!Object.hasOwn(this.schemas, nameOfReference(reference)!)) this.report(path, 'is not among the schemas');
  }

  private checkPattern(pattern: string, path: PropertyKey[]): void {
    const problem = this.patterns.problemOf(pattern);
    if (problem !== '') this.report(path, problem);
  }

  private report(path: PropertyKey[], message: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ path, message });
  }
}

function problemsOfChains(schemas: Record<string, JsonSchema>): SchemaProblem[] {
  for (const { chain, isCircular } of endlessReferences(new Map(Object.entries(schemas)))) {
    const what = isCircular ? 'refers to itself' : `is one of more than ${MAX_CHAIN} in a row`;
    const shown = isCircular ? chain : chain.slice(0, 4);
    return [{ path: ['schemas', chain[0]!], message: `${what} without a step into the data: ${shown.join(' -> ')}` }];
  }
  return [];
}
