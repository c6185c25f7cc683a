import assert from 'node:assert/strict';
import type { ExampleExchange } from '../../../src/http/docs/examples/example.ts';
import type { Route } from '../../../src/http/route.ts';

/** Sends an example as a client would. */
export async function send(
  url: string,
  { method, path }: Pick<Route, 'method' | 'path'>,
  { params = {}, query, headers = {}, body, contentType, form, credential }: ExampleExchange & { credential: object },
): Promise<{ status: number; answer: unknown }> {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const asked = query ? `?${new URLSearchParams(query)}` : '';
  const type = form || body === undefined ? {} : { 'content-type': contentType ?? 'application/json' };
  const response = await fetch(`${url}${filled}${asked}`, {
    method: method.toUpperCase(),
    headers: { ...credential, ...type, ...headers },
    body: form ? formOf(form) : typeof body === 'object' ? JSON.stringify(body) : (body as string | undefined),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return { status: response.status, answer: isJson ? JSON.parse(text) : text || undefined };
}

function formOf({ fields, file }: NonNullable<ExampleExchange['form']>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob([file.content]), file.name);
  return form;
}

/** The example with this server's ids in place of the shown ones. */
export function withKnown(exchange: ExampleExchange, known: ReadonlyMap<string, string>): ExampleExchange {
  const replaced = (value: unknown): unknown => {
    if (typeof value === 'string') return known.get(value) ?? value;
    if (Array.isArray(value)) return value.map(replaced);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member)]));
  };
  const { params, query, headers, body } = exchange;
  return { ...exchange, ...(replaced({ params, query, headers, body }) as Partial<ExampleExchange>) };
}

/** Values that differ between servers and runs. */
const OWN =
  /^(.*[iI]d|receipt|token|key|secret|link|statusUrl|startUrl|redirectUri|backchannelLogoutUri|createdBy|reviewedBy|updatedBy|resolvedBy|score|avgResolutionHours|duration|resource|continueAt|url)$/;
const isTime = (text: string) => /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/.test(text);

/**
 * Compares a response with the shown one, member by member, and records which id replaces which.
 */
export function learn(shown: unknown, answered: unknown, known: Map<string, string>, at: string): void {
  if (Array.isArray(shown)) {
    assert.ok(Array.isArray(answered) && answered.length === shown.length, `${at}: ${JSON.stringify(answered)}`);
    for (const [index, item] of shown.entries()) learn(item, answered[index], known, `${at}[${index}]`);
  } else if (typeof shown === 'object' && shown !== null) {
    assert.ok(typeof answered === 'object' && answered !== null, `${at}: ${JSON.stringify(answered)}`);
    assert.deepEqual(Object.keys(answered).sort(), Object.keys(shown).sort(), at);
    for (const [name, member] of Object.entries(shown)) {
      learn(member, (answered as Record<string, unknown>)[name], known, `${at}.${name}`);
    }
  } else if (shown !== answered && known.get(String(shown)) !== answered) {
    assert.equal(typeof answered, typeof shown, at);
    const name = at
      .split('.')
      .at(-1)!
      .replace(/\[\d+\]$/, '');
    assert.ok(OWN.test(name) || isTime(String(shown)), `${at}: ${answered} in place of ${shown}`);
    if (typeof shown === 'string' && !isTime(shown)) known.set(shown, String(answered));
    // What stands at the end of an address is a parameter of later examples.
    if (name === 'url') known.set(lastPart(String(shown)), lastPart(String(answered)));
  }
}

function lastPart(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
