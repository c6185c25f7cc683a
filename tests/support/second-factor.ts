import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { generate } from 'otplib';
import type { ConfigInput } from '../../src/config.ts';
import { realEffects } from '../../src/core/base/shared/effects.ts';
import { type TestApp, type TestResponse, testApp } from './app.ts';
import { Authenticator } from './authenticator.ts';
import { newUser, type Person, PORTAL, withToken } from './people.ts';

export const PASSWORD = 'correct horse battery staple';
export const LOGIN = `${PORTAL}/login`;
export const FACTORS = `${PORTAL}/me/second-factor`;
export const STEP_UP = `${PORTAL}/me/step-up`;
export const HOST = 'kpi.example.com';
export const ORIGIN = `https://${HOST}`;

const STEP_MS = 30_000;

/** A server at a public URL, whose clock the test sets. */
export interface FactorApp extends TestApp {
  now(): number;
  /** To the next code of authenticator apps, and by more milliseconds. */
  advance(ms?: number): void;
  /** A request without credentials. */
  post(path: string, body: unknown): Promise<TestResponse>;
}

export async function factorApp(t: TestContext, settings: ConfigInput = {}): Promise<FactorApp> {
  let now = Date.parse('2026-03-01T12:00:00Z');
  const effects = { ...realEffects, now: () => now };
  const app = await testApp(t, { rateLimit: 0, publicUrl: ORIGIN, ...settings }, effects);
  return {
    ...app,
    now: () => now,
    advance: (ms = STEP_MS) => {
      now += ms;
    },
    post: (path, body) => app.request('POST', path, body, { 'x-api-key': '' }),
  };
}

/** What the authenticator app shows. */
export function codeOf(app: FactorApp, secret: string): Promise<string> {
  return generate({ secret, epoch: Math.floor(app.now() / 1_000) });
}

/** Six digits that are not right now, nor a step before or after. */
export async function wrongCode(app: FactorApp, secret: string): Promise<string> {
  const epoch = Math.floor(app.now() / 1_000);
  const right = await Promise.all([-30, 0, 30].map((offset) => generate({ secret, epoch: epoch + offset })));
  return ['111111', '222222', '333333', '444444'].find((code) => !right.includes(code))!;
}

export interface PersonWithApp extends Person {
  email: string;
  secret: string;
  recoveryCodes: string[];
}

/** Somebody with a password and an authenticator app, whose next code is due. */
export async function personWithApp(
  app: FactorApp,
  members: Parameters<typeof newUser>[1] = {},
): Promise<PersonWithApp> {
  const person = await personWithPassword(app, members);
  const begun = await person.request('POST', `${FACTORS}/enrolment`, { method: 'code' });
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  const { secret } = begun.body.totp;
  const code = await codeOf(app, secret);
  const confirmed = await person.request('POST', `${FACTORS}/enrolment/confirm`, { code });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  app.advance();
  return { ...person, email: person.user.email, secret, recoveryCodes: confirmed.body.recoveryCodes };
}

export async function personWithPassword(app: FactorApp, members: Parameters<typeof newUser>[1] = {}): Promise<Person> {
  const user = await newUser(app, { password: PASSWORD, ...members });
  const { token } = await app.runtime.sessions.open(user, { address: 'a test' });
  return { user, token, request: withToken(app, token) };
}

/** Adds a passkey to somebody who is logged in. */
export async function addPasskey({ request }: Pick<Person, 'request'>, name = 'Laptop') {
  const authenticator = new Authenticator();
  const begun = await request('POST', `${FACTORS}/enrolment`, { method: 'passkey' });
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  const passkey = authenticator.create(begun.body.passkeyOptions, { origin: ORIGIN });
  const confirmed = await request('POST', `${FACTORS}/enrolment/confirm`, { passkey, name });
  assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
  return { authenticator, recoveryCodes: confirmed.body.recoveryCodes as string[] | null };
}

/** The second factor that the login asks for after the right password. */
export async function needed(app: FactorApp, email: string) {
  const answer = await app.post(LOGIN, { email, password: PASSWORD });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  return answer.body.secondFactor as {
    ticket: string;
    enrol: boolean;
    methods: string[];
    // biome-ignore lint/suspicious/noExplicitAny: options of WebAuthn
    passkeyOptions: any;
  };
}

export function giveFactor(app: FactorApp, body: object): Promise<TestResponse> {
  return app.post(`${LOGIN}/second-factor`, body);
}
