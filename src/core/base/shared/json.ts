import { z } from 'zod';

/** A body can have millions of problems. */
const MAX_PROBLEMS = 10;

export interface JsonProblem {
  path: PropertyKey[];
  message: string;
}

/** Passed through unchanged, so that no member (`__proto__` included) is lost. */
export function freeObject() {
  return z.custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
  );
}

/** Finds rounded or infinite numbers, lone surrogates and deep nesting (the value is level 1). */
export function checkJson(value: unknown, maxDepth: number): JsonProblem[] {
  const walk = new Walk(maxDepth);
  walk.visit(value, 1);
  return walk.problems;
}

/** For `superRefine`. Stops further checks. */
export function soundJson(maxDepth: number) {
  return (value: unknown, context: z.RefinementCtx): void => {
    for (const { path, message } of checkJson(value, maxDepth)) {
      context.addIssue({ code: 'custom', message, path, continue: false });
    }
  };
}

class Walk {
  readonly problems: JsonProblem[] = [];
  private readonly maxDepth: number;
  private readonly path: PropertyKey[] = [];

  constructor(maxDepth: number) {
    this.maxDepth = maxDepth;
  }

  visit(value: unknown, depth: number): void {
    if (typeof value === 'number') this.checkNumber(value);
    else if (typeof value === 'string') this.checkText(value);
    else if (typeof value === 'object' && value !== null) this.visitMembers(value, depth);
  }

  private visitMembers(value: object, depth: number): void {
    if (depth > this.maxDepth) {
      this.report(`is nested deeper than ${this.maxDepth} levels; flatten it`);
      return;
    }
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) this.visitMember(index, value[index], depth);
      return;
    }
    for (const [key, member] of Object.entries(value)) this.visitMember(key, member, depth);
  }

  private visitMember(key: string | number, value: unknown, depth: number): void {
    if (this.problems.length >= MAX_PROBLEMS) return;
    this.path.push(key);
    if (typeof key === 'string') this.checkText(key);
    this.visit(value, depth + 1);
    this.path.pop();
  }

  private checkNumber(value: number): void {
    if (!Number.isFinite(value)) this.report('is not a finite number');
    else if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      this.report('is an integer beyond 2^53, which would be rounded; send it as a string');
    }
  }

  private checkText(text: string): void {
    if (!text.isWellFormed()) this.report('contains a lone surrogate, which is not valid Unicode');
  }

  private report(message: string): void {
    this.problems.push({ path: [...this.path], message });
  }
}

/** For `refine(...jsonWithin(bytes))`: UTF-8 of the value as JSON. */
export function jsonWithin(maxBytes: number) {
  return [
    (value: object) => Buffer.byteLength(JSON.stringify(value)) <= maxBytes,
    `must be at most ${maxBytes / 1024} KB as JSON`,
  ] as const;
}

/** For `superRefine`: of a list no two may have the same id. */
export function distinctIds(message: string) {
  return (items: readonly { id: string }[], context: z.RefinementCtx): void => {
    const ids = new Set<string>();
    for (const [index, { id }] of items.entries()) {
      if (ids.has(id)) context.addIssue({ code: 'custom', message, path: [index, 'id'] });
      ids.add(id);
    }
  };
}

/** For `refine(...someMember)`: a change without members is refused. */
export const someMember = [
  (changes: object) => Object.values(changes).some((value) => value !== undefined),
  'must hold at least one member',
] as const;
