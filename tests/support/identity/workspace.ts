import type { CreateProvider } from '../../../src/core/access/sso/schema.ts';
import type { TestApp } from '../app.ts';
import { PORTAL, withCookie } from '../people.ts';
import { appOfThisFile, scopeOfThisFile } from '../shared.ts';
import { CLIENT, type RunningProvider, startProvider } from './provider.ts';
import { type CookieJar, placeOf } from './sign-in.ts';

/** Of this machine, under both of its addresses. */
export const LOOPBACK = '127.0.0.0/8,::1/128';

/** Everything of a provider but its id, issuer and client. */
const MEMBERS: Omit<CreateProvider, 'id' | 'issuer' | 'clientId'> = {
  name: 'Corp',
  preset: 'other',
  scopes: ['openid', 'email', 'profile', 'groups'],
  allowedDomains: [],
  allowedDirectories: [],
  roleClaim: null,
  roleMapping: [],
  defaultRole: 'VIEWER',
  createUsers: true,
  linkByEmail: false,
  enabled: true,
};

/** Creates the provider `corp` of the tenant, or changes it. As the operator does. */
export async function defineProvider(
  { runtime, tenantId }: TestApp,
  settings: Pick<CreateProvider, 'issuer'> & Partial<CreateProvider>,
): Promise<void> {
  const { identityProviders } = runtime;
  const { id = 'corp', ...members } = { ...MEMBERS, ...CLIENT, ...settings };
  const known = (await identityProviders.list(tenantId, null)).some((one) => one.id === id);
  if (known) await identityProviders.change(tenantId, id, members, null);
  else await identityProviders.create(tenantId, { id, ...members }, null);
}

export function addressesAt(app: TestApp, id = 'corp') {
  const place = `${app.url}${placeOf(app.tenantId, id)}`;
  return { redirectUri: `${place}/callback`, backchannelLogoutUri: `${place}/backchannel-logout` };
}

/** An app of the test file and oidc-provider beside it, the provider `corp` of the app. */
export function signOnOfThisFile() {
  const sharedApp = appOfThisFile({ rateLimit: 0, trustedProxies: '127.0.0.1', identityNetworks: LOOPBACK });
  const scope = scopeOfThisFile();
  let running: Promise<RunningProvider> | undefined;
  return async (settings: Partial<CreateProvider> = {}) => {
    const app = await sharedApp();
    running ??= startProvider(scope, addressesAt(app));
    const provider = await running;
    await defineProvider(app, { issuer: provider.issuer, ...settings });
    return { app, provider };
  };
}

let people = 0;

/** Claims of somebody whom nobody knows. */
export function somebody(claims: Record<string, unknown> = {}) {
  const number = ++people;
  const email = `sso-${number}@corp.example`;
  return { sub: `sub-${number}`, email, email_verified: true, name: `Sso ${number}`, ...claims };
}

/** Whose session the browser has. */
export async function whoIsIn(app: TestApp, jar: CookieJar) {
  return (await withCookie(app, jar.get('ar_session') ?? '')('GET', `${PORTAL}/me`)).body;
}
