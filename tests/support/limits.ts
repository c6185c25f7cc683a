import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describeSettings, FIXED } from '../../src/config.ts';
import { routes } from '../../src/http/app.ts';
import { openApiDocument, operationIdOf } from '../../src/http/docs/openapi.ts';

/* Numbers of the code, in the words of docs/limits.md. */

interface Schema {
  description?: string;
  maxLength?: number;
  minLength?: number;
  maxItems?: number;
  minItems?: number;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

const document = openApiDocument(routes) as unknown as {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, { operationId: string; parameters?: { name: string; description?: string }[] }>>;
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

export const count = (value: number) => value.toLocaleString('en');

export function size(bytes: number): string {
  const kilobytes = bytes / 1024;
  return kilobytes < 1024 ? `${kilobytes} KB` : `${count(kilobytes / 1024)} MB`;
}

export const seconds = (ms: number) => `${count(ms / 1_000)} s`;

/** Of a constant that its file keeps to itself: its number, products of numbers multiplied out. */
export function constant(file: string, name: string): number {
  const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
  const product = new RegExp(`^(?:export )?const ${name} = ([\\d_* ]+);`, 'm').exec(text)?.[1];
  assert.ok(product, `${file} has no constant ${name}`);
  return product
    .replaceAll('_', '')
    .split('*')
    .reduce((all, factor) => all * Number(factor), 1);
}

/** Of a request: the most that its body may have. */
export function body(...operationIds: string[]): string {
  const sizes = new Set(operationIds.map((operationId) => maxBytesOf(operationId)));
  assert.equal(sizes.size, 1, `${operationIds.join(', ')} differ`);
  return size([...sizes][0]!);
}

function maxBytesOf(operationId: string): number {
  const { body: of } = routes.find((route) => operationIdOf(route) === operationId) ?? assert.fail(operationId);
  return of?.maxBytes ?? assert.fail(`${operationId} has no body`);
}

/** Of a list: how many there are on a page, and at most. */
export function page(...operationIds: string[]): string {
  const said = operationIds.map((operationId) => {
    const { parameters = [] } = operations.find((one) => one.operationId === operationId) ?? assert.fail(operationId);
    return pageOf(parameters.find(({ name }) => name === 'limit')?.description);
  });
  assert.equal(new Set(said).size, 1, `${operationIds.join(', ')}: ${said}`);
  return said[0]!;
}

/** As `limitSchema` describes it. */
export function pageOf(description = ''): string {
  const [, byDefault, most] = /^Default (\d+); more than (\d+) is capped/.exec(description) ?? assert.fail(description);
  return `${count(Number(byDefault))}, at most ${count(Number(most))}`;
}

/** A member of a named schema of the API document: `IngestEvent.eventName`. */
export function member(path: string): Schema {
  const [name = '', ...rest] = path.split('.');
  return rest.reduce(
    (schema, step) => (step === 'items' ? schema.items : schema.properties?.[step]) ?? assert.fail(path),
    document.components.schemas[name] ?? assert.fail(path),
  );
}

export function characters(...paths: string[]): string {
  const most = new Set(paths.map((path) => maxLengthOf(member(path), path)));
  assert.equal(most.size, 1, `${paths.join(', ')} differ`);
  return `${count([...most][0]!)} characters`;
}

function maxLengthOf({ maxLength, anyOf = [] }: Schema, path: string): number {
  return maxLength ?? anyOf.find((one) => one.maxLength !== undefined)?.maxLength ?? assert.fail(path);
}

/** A constant of operation. */
export function fixed(name: keyof typeof FIXED): string {
  return count(FIXED[name]);
}

/** The default of a setting, and its name as the table shows it. */
export function setting(name: string): { value: string; variable: string } {
  const { default: value, variable } = describeSettings().find((one) => one.name === name) ?? assert.fail(name);
  return { value: Number.isNaN(Number(value)) ? value : count(Number(value)), variable: `\`${variable}\`` };
}
