import assert from 'node:assert/strict';
import type { TestApp } from '../app.ts';
import { PORTAL } from '../people.ts';

let browsers = 0;

/** Cookies by origin and path, as far as these tests need them; and an address, since failed logins slow one. */
export class CookieJar {
  readonly address = `198.51.${Math.floor(++browsers / 250)}.${(browsers % 250) + 1}`;
  private readonly cookies = new Map<string, { origin: string; path: string; name: string; value: string }>();

  keep(url: string, headers: Headers): void {
    const { origin } = new URL(url);
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = '', rest = ''] = /^([^=]+)=([^;]*)(.*)$/.exec(line) ?? [];
      const path = /; path=([^;]*)/i.exec(rest)?.[1] ?? '/';
      const key = `${origin} ${path} ${name}`;
      if (value === '' || /max-age=0/i.test(rest)) this.cookies.delete(key);
      else this.cookies.set(key, { origin, path, name, value });
    }
  }

  header(url: string): string {
    const { origin, pathname } = new URL(url);
    const sent = [...this.cookies.values()].filter((one) => one.origin === origin && pathname.startsWith(one.path));
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  get(name: string): string | undefined {
    return [...this.cookies.values()].find((one) => one.name === name)?.value;
  }
}

export interface Step {
  status: number;
  headers: Headers;
  /** Absolute. */
  location: string;
}

/** One request of a browser, which does not follow redirects by itself. */
export async function visit(jar: CookieJar, url: string, init: RequestInit = {}): Promise<Step & { text: string }> {
  const response = await fetch(url, {
    ...init,
    redirect: 'manual',
    headers: { cookie: jar.header(url), 'x-forwarded-for': jar.address, ...(init.headers as Record<string, string>) },
  });
  jar.keep(url, response.headers);
  const location = response.headers.get('location');
  return {
    status: response.status,
    headers: response.headers,
    location: location === null ? '' : new URL(location, url).href,
    text: await response.text(),
  };
}

export const placeOf = (tenant: string, id: string) => `${PORTAL}/login/sso/${tenant}/${id}`;

/** Begins a login and goes on until the provider leads back. The address of the callback is not visited. */
export async function untilCallback(app: TestApp, id: string, jar = new CookieJar(), to = '/events') {
  const place = placeOf(app.tenantId, id);
  const start = await visit(jar, `${app.url}${place}/start?to=${encodeURIComponent(to)}`);
  let step: Step = start;
  for (let count = 0; count < 10; count += 1) {
    assert.ok(step.status >= 302 && step.status <= 303, `${step.status} ${step.location}`);
    if (step.location.startsWith(app.url)) return { jar, start, callback: step.location };
    step = await visit(jar, step.location);
  }
  throw new Error('the provider does not lead back');
}

/** A whole login. Answers the last redirect. */
export async function signIn(app: TestApp, id: string, jar = new CookieJar(), to?: string) {
  const { start, callback } = await untilCallback(app, id, jar, to);
  const end = await visit(jar, callback);
  return { jar, start, callback, end };
}

/** The reason on the login page; null for a login. */
export function refusalOf(end: Step): string | null {
  assert.equal(end.status, 303, `${end.status}`);
  return new URL(end.location).searchParams.get('refused');
}
