import { RE2JS } from 're2js';
import { invalid } from '../shared/errors.ts';
import type { KeywordArguments, SchemaProblem } from './schema.ts';
import { isObject, type JsonSchema, type Subschema } from './values.ts';

/** Steps of one call: checks and iterations. The worst step found takes 0.3 microseconds. */
export const MAX_STEPS = 2_000_000;
/** Bounds the call stack. */
const MAX_DEPTH = 1_000;
const STEPS_OF_REPORT = 5;
const MANY_MEMBERS = 50;
const MAX_PROBLEMS = 20;
const MAX_PROBLEMS_OF_ALTERNATIVE = 5;

export type Check<Argument> = (
  argument: Argument,
  value: unknown,
  evaluation: Evaluation,
  schema: Partial<KeywordArguments>,
) => void;

export interface SchemaScope {
  schemas: Record<string, JsonSchema>;
  patternOf(source: string): Pattern;
}

/** Interprets schemas, so that it can count steps. Throws `invalid` after `MAX_STEPS`. */
export class Evaluation {
  readonly scope: SchemaScope;
  private readonly checks: ReadonlyMap<string, Check<unknown>>;
  /** For paths and queries: "5" is also an integer, and 5 a string. */
  asText = false;
  private readonly members = new Map<object, [string, never][]>();
  private steps = 0;
  private depth = 0;
  private path: PropertyKey[] = [];
  private findings: Findings = { problems: [], maximum: MAX_PROBLEMS };

  constructor(scope: SchemaScope, checks: ReadonlyMap<string, Check<unknown>>) {
    this.scope = scope;
    this.checks = checks;
  }

  problemsOf(schema: JsonSchema, value: unknown, { path, asText }: { path: PropertyKey[]; asText: boolean }) {
    this.path = [...path];
    this.asText = asText;
    this.findings = { problems: [], maximum: MAX_PROBLEMS };
    this.check(schema, value);
    return this.findings.problems.slice(0, MAX_PROBLEMS);
  }

  get stepsTaken(): number {
    return this.steps;
  }

  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > MAX_STEPS) {
      throw invalid("data: takes too many steps to hold to the resource's JSON Schemas; send less of it at once");
    }
  }

  check(schema: Subschema, value: unknown): void {
    this.spend(1);
    if (schema === false) this.report('must be left out');
    if (typeof schema === 'boolean' || this.isFull()) return;
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw invalid("data: goes too deep into the resource's JSON Schemas; flatten it");
    for (const keyword of Object.keys(schema)) {
      this.checks.get(keyword)?.(schema[keyword], value, this, schema);
      if (this.isFull()) break;
    }
    this.depth -= 1;
  }

  /** Empty unless `value` is an object. Caches the list of a large object. */
  membersOf<Member = unknown>(value: unknown): readonly [string, Member][] {
    if (!isObject(value)) return [];
    const members: [string, Member][] = this.members.get(value) ?? Object.entries(value as Record<string, Member>);
    if (members.length > MANY_MEMBERS) this.members.set(value, members as [string, never][]);
    this.spend(members.length);
    return members;
  }

  checkWithin(name: string | number, schema: Subschema, value: unknown): void {
    this.path.push(name);
    this.check(schema, value);
    this.path.pop();
  }

  problemsOfAlternative(schema: Subschema, value: unknown, maximum = MAX_PROBLEMS_OF_ALTERNATIVE): SchemaProblem[] {
    const { findings } = this;
    this.findings = { problems: [], maximum };
    this.check(schema, value);
    const { problems } = this.findings;
    this.findings = findings;
    return problems;
  }

  report(message: string, ...within: PropertyKey[]): void {
    this.spend(STEPS_OF_REPORT);
    this.findings.problems.push({ path: [...this.path, ...within], message });
  }

  /** Reports the alternative that matches furthest into the value, or all of them. */
  reportAlternatives(forms: SchemaProblem[][]): void {
    const furthest = forms.find((problems) => problems.some(({ path }) => path.length > this.path.length));
    if (furthest) this.findings.problems.push(...furthest.slice(0, this.findings.maximum));
    else {
      const messages = new Set(forms.flatMap((problems) => problems.map(({ message }) => message)));
      this.report([...messages].slice(0, MAX_PROBLEMS_OF_ALTERNATIVE).join(', or '));
    }
  }

  isFull(): boolean {
    return this.findings.problems.length >= this.findings.maximum;
  }
}

interface Findings {
  problems: SchemaProblem[];
  maximum: number;
}

export interface Pattern {
  /** Matches any part of the text. */
  test(text: string): boolean;
  /** Instructions of the program: the worst cost of a character. */
  size: number;
}

/** Compiles an ECMA-262 pattern by RE2; null for what RE2 lacks (lookarounds, backreferences). */
export function compiledPattern(source: string): Pattern | null {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(source));
    return { test: (text) => compiled.test(text), size: compiled.programSize() };
  } catch {
    return null;
  }
}
