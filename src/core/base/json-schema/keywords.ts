import { MAX_COMPARED, suggestion } from '../shared/names.ts';
import { type Check, Evaluation, type SchemaScope } from './evaluation.ts';
import { nameOfReference } from './references.ts';
import type { KeywordArguments, SchemaType } from './schema.ts';
import { isObject, JSON_NUMBER, type Subschema } from './values.ts';

const CHARACTERS_A_STEP = 16;
const INSTRUCTIONS_A_STEP = 4;
const STEPS_OF_COMPARISON = 25;
const MAX_SHOWN = 100;
const MAX_SHOWN_VALUES = 20;

/** JSON Schema 2020-12. */
const ENFORCING: { [Keyword in keyof KeywordArguments]: Check<KeywordArguments[Keyword]> } = {
  $ref: (reference, value, evaluation) => {
    evaluation.check(evaluation.scope.schemas[nameOfReference(reference)!]!, value);
  },
  allOf: (schemas, value, evaluation) => {
    for (const schema of schemas) evaluation.check(schema, value);
  },
  anyOf: (schemas, value, evaluation) => {
    const failed = [];
    for (const schema of schemas) {
      const problems = evaluation.problemsOfAlternative(schema, value);
      if (problems.length === 0) return;
      failed.push(problems);
    }
    evaluation.reportAlternatives(failed);
  },
  oneOf: (schemas, value, evaluation) => {
    const failed = [];
    let fitting = 0;
    for (const schema of schemas) {
      const problems = evaluation.problemsOfAlternative(schema, value);
      if (problems.length > 0) failed.push(problems);
      else fitting += 1;
      if (fitting > 1) break;
    }
    if (fitting > 1) evaluation.report('has more than one of the forms of which it must have exactly one');
    if (fitting === 0) evaluation.reportAlternatives(failed);
  },
  not: (schema, value, evaluation) => {
    if (evaluation.problemsOfAlternative(schema, value, 1).length === 0)
      evaluation.report('has the form that it must not have');
  },

  type: (type, value, evaluation) => {
    const { asText } = evaluation;
    if (typeof type === 'string' ? isOfType(type, value, asText) : type.some((one) => isOfType(one, value, asText)))
      return;
    evaluation.report(`must be ${[type].flat().map(withArticle).join(' or ')}`);
  },
  enum: (values, value, evaluation) => {
    if (values.some((one) => isEqual(one, value, evaluation))) return;
    const shown = values.slice(0, MAX_SHOWN_VALUES).map(shownValue).join(', ');
    evaluation.report(`must be one of ${shown}${values.length > MAX_SHOWN_VALUES ? ', ...' : ''}`);
  },
  const: (one, value, evaluation) => {
    if (!isEqual(one, value, evaluation)) evaluation.report(`must be ${shownValue(one)}`);
  },

  properties: (properties, value, evaluation) => {
    for (const [name, member] of evaluation.membersOf(value)) {
      if (Object.hasOwn(properties, name)) evaluation.checkWithin(name, properties[name]!, member);
    }
  },
  patternProperties: (schemas, value, evaluation) => {
    const entries = evaluation.membersOf<Subschema>(schemas);
    for (const [name, member] of evaluation.membersOf(value)) {
      for (const [pattern, schema] of entries) {
        if (isMatch(pattern, name, evaluation)) evaluation.checkWithin(name, schema, member);
      }
    }
  },
  additionalProperties: (additional, value, evaluation, { properties = {}, patternProperties = {} }) => {
    const patterns = evaluation.membersOf(patternProperties).map(([pattern]) => pattern);
    for (const [name, member] of evaluation.membersOf(value)) {
      if (Object.hasOwn(properties, name)) continue;
      if (patterns.some((pattern) => isMatch(pattern, name, evaluation))) continue;
      if (additional === false) reportUnknown(name, properties, evaluation);
      else evaluation.checkWithin(name, additional, member);
      if (evaluation.isFull()) return;
    }
  },
  propertyNames: (schema, value, evaluation) => {
    for (const [name] of evaluation.membersOf(value)) {
      const [problem] = evaluation.problemsOfAlternative(schema, name, 1);
      if (problem) evaluation.report(`as a name ${problem.message}`, name);
      if (evaluation.isFull()) return;
    }
  },
  required: (names, value, evaluation) => {
    if (!isObject(value)) return;
    evaluation.spend(names.length);
    for (const name of names) {
      if (!Object.hasOwn(value, name)) evaluation.report('is required', name);
      if (evaluation.isFull()) return;
    }
  },
  minProperties: (minimum, value, evaluation) => {
    if (isObject(value) && evaluation.membersOf(value).length < minimum) {
      evaluation.report(`must have at least ${minimum} members`);
    }
  },
  maxProperties: (maximum, value, evaluation) => {
    if (evaluation.membersOf(value).length > maximum) evaluation.report(`must have at most ${maximum} members`);
  },

  prefixItems: (schemas, value, evaluation) => {
    if (!Array.isArray(value)) return;
    for (const [index, schema] of schemas.slice(0, value.length).entries()) {
      evaluation.checkWithin(index, schema, value[index]);
    }
  },
  items: (schema, value, evaluation, { prefixItems = [] }) => {
    if (!Array.isArray(value)) return;
    for (let index = prefixItems.length; index < value.length; index += 1) {
      evaluation.checkWithin(index, schema, value[index]);
      if (evaluation.isFull()) return;
    }
  },
  minItems: (minimum, value, evaluation) => {
    if (Array.isArray(value) && value.length < minimum) evaluation.report(`must have at least ${minimum} items`);
  },
  maxItems: (maximum, value, evaluation) => {
    if (Array.isArray(value) && value.length > maximum) evaluation.report(`must have at most ${maximum} items`);
  },

  minimum: bound((number, minimum) => number >= minimum, 'at least'),
  maximum: bound((number, maximum) => number <= maximum, 'at most'),
  exclusiveMinimum: bound((number, minimum) => number > minimum, 'more than'),
  exclusiveMaximum: bound((number, maximum) => number < maximum, 'less than'),
  multipleOf: bound(isMultiple, 'a multiple of'),

  minLength: textLength((length, minimum) => length >= minimum, 'at least'),
  maxLength: textLength((length, maximum) => length <= maximum, 'at most'),
  pattern: (pattern, value, evaluation) => {
    const text = textOf(value, evaluation.asText);
    if (text !== null && !isMatch(pattern, text, evaluation)) {
      evaluation.report(`must match the pattern ${shortened(pattern)}`);
    }
  },
};

const CHECKS = new Map(Object.entries(ENFORCING)) as ReadonlyMap<string, Check<unknown>>;

export function evaluationOf(scope: SchemaScope): Evaluation {
  return new Evaluation(scope, CHECKS);
}

function bound(holds: (number: number, limit: number) => boolean, words: string): Check<number> {
  return (limit, value, evaluation) => {
    const number = numberOf(value, evaluation.asText);
    if (number !== null && !holds(number, limit)) evaluation.report(`must be ${words} ${limit}`);
  };
}

function textLength(holds: (length: number, limit: number) => boolean, words: string): Check<number> {
  return (limit, value, evaluation) => {
    const text = textOf(value, evaluation.asText);
    if (text === null || holds(lengthOf(text, evaluation), limit)) return;
    evaluation.report(`must have ${words} ${limit} characters`);
  };
}

function isOfType(type: SchemaType, value: unknown, asText: boolean): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'string') return textOf(value, asText) !== null;
  if (type === 'boolean') return typeof value === 'boolean' || (asText && (value === 'true' || value === 'false'));
  const number = numberOf(value, asText);
  return number !== null && (type === 'number' || Number.isInteger(number));
}

function numberOf(value: unknown, asText: boolean): number | null {
  if (typeof value === 'number') return value;
  return asText && typeof value === 'string' && JSON_NUMBER.test(value) ? Number(value) : null;
}

function textOf(value: unknown, asText: boolean): string | null {
  if (typeof value === 'string') return value;
  return asText && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : null;
}

function isEqual(one: unknown, other: unknown, evaluation: Evaluation): boolean {
  if (isSame(one, other, evaluation)) return true;
  const text = textOf(one, evaluation.asText);
  return evaluation.asText && text !== null && text === textOf(other, true);
}

function isSame(one: unknown, other: unknown, evaluation: Evaluation): boolean {
  evaluation.spend(1);
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSame(item, other[index], evaluation));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const members = evaluation.membersOf(one);
  return (
    members.length === evaluation.membersOf(other).length &&
    members.every(([name, member]) => Object.hasOwn(other, name) && isSame(member, other[name], evaluation))
  );
}

function isMatch(source: string, text: string, evaluation: Evaluation): boolean {
  const pattern = evaluation.scope.patternOf(source);
  evaluation.spend(Math.ceil((text.length * pattern.size) / INSTRUCTIONS_A_STEP));
  return pattern.test(text);
}

/** In code points. */
function lengthOf(text: string, evaluation: Evaluation): number {
  evaluation.spend(Math.ceil(text.length / CHARACTERS_A_STEP));
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

/** Tolerates rounding: 0.3 is a multiple of 0.1. */
function isMultiple(number: number, divisor: number): boolean {
  if (Number.isInteger(number) && Number.isInteger(divisor)) return number % divisor === 0;
  const quotient = number / divisor;
  return Math.abs(quotient - Math.round(quotient)) <= 2 * Number.EPSILON * Math.abs(quotient);
}

function reportUnknown(name: string, properties: object, evaluation: Evaluation): void {
  const known = evaluation.membersOf(properties).map(([one]) => one);
  evaluation.spend(Math.min(known.length, MAX_COMPARED) * STEPS_OF_COMPARISON);
  evaluation.report(`unknown member${suggestion(name, known)}`, name);
}

function withArticle(type: SchemaType): string {
  if (type === 'null') return type;
  return /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Short, because up to a million values may each have a message. */
function shownValue(value: unknown): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? '[...]' : '{...}';
  return shortened(String(value));
}

function shortened(text: string): string {
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}...` : text;
}
