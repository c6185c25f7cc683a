import { invalid } from '../shared/errors.ts';
import type { Pattern } from './patterns.ts';
import type { KeywordArguments, SchemaProblem } from './schema.ts';
import { isObject, type JsonSchema, type Subschema } from './values.ts';

/**
 * What a call may cost, however its schema and its data were made for each other: a schema held to a value is a step,
 * and what a keyword goes through counts, too. The worst that was found takes 0.3 microseconds a step; a megabyte of
 * numbers in an array, each held to a schema that is referred to, takes a million.
 */
export const MAX_STEPS = 2_000_000;
/** Schemas within schemas and values within values; each takes its part of the call stack. */
const MAX_DEPTH = 1_000;
const STEPS_OF_REPORT = 5;
const MANY_MEMBERS = 50;
const MAX_PROBLEMS = 20;
/** Of a form that the value may have but need not. */
const MAX_PROBLEMS_OF_FORM = 5;

/** Enforces one keyword: reports to the evaluation what is wrong with the value. */
export type Check<Argument> = (
  argument: Argument,
  value: unknown,
  evaluation: Evaluation,
  schema: Partial<KeywordArguments>,
) => void;

/** What schemas refer to. */
export interface SchemaScope {
  schemas: Record<string, JsonSchema>;
  /** By their source. */
  patternOf(source: string): Pattern;
}

/**
 * Holds the values of one call to JSON Schemas. It walks through them rather than generate code for them, so that every
 * step can be counted and no definition costs anything before its resources are called. Each problem says
 * where and what in the words that users see. Throws `invalid` where that takes more steps than a call may.
 */
export class Evaluation {
  readonly scope: SchemaScope;
  private readonly checks: ReadonlyMap<string, Check<unknown>>;
  /** Whether values are held as the text that is sent: "5" is an integer where one is asked for, and 5 a string. */
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

  /** What is wrong with a value, and where; at most 20 problems. */
  problemsOf(schema: JsonSchema, value: unknown, { path, asText }: { path: PropertyKey[]; asText: boolean }) {
    this.path = [...path];
    this.asText = asText;
    this.findings = { problems: [], maximum: MAX_PROBLEMS };
    this.check(schema, value);
    return this.findings.problems.slice(0, MAX_PROBLEMS);
  }

  /** How many steps were taken. */
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

  /** Of an object; anything else has none. Those of a large one are listed once, for that takes microseconds a member. */
  membersOf<Member = unknown>(value: unknown): readonly [string, Member][] {
    if (!isObject(value)) return [];
    const members: [string, Member][] = this.members.get(value) ?? Object.entries(value as Record<string, Member>);
    if (members.length > MANY_MEMBERS) this.members.set(value, members as [string, never][]);
    this.spend(members.length);
    return members;
  }

  /** Holds a member or an item to a schema. */
  checkWithin(name: string | number, schema: Subschema, value: unknown): void {
    this.path.push(name);
    this.check(schema, value);
    this.path.pop();
  }

  /** What is wrong if the value should have this form, without a word of it yet. */
  problemsOfForm(schema: Subschema, value: unknown, maximum = MAX_PROBLEMS_OF_FORM): SchemaProblem[] {
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

  /** Of several forms none fits: what is wrong with the one that got furthest, or with each. */
  reportForms(forms: SchemaProblem[][]): void {
    const furthest = forms.find((problems) => problems.some(({ path }) => path.length > this.path.length));
    if (furthest) this.findings.problems.push(...furthest.slice(0, this.findings.maximum));
    else {
      const messages = new Set(forms.flatMap((problems) => problems.map(({ message }) => message)));
      this.report([...messages].slice(0, MAX_PROBLEMS_OF_FORM).join(', or '));
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
