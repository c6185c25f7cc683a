import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import type { TestApp } from './app.ts';
import { openPage, type PageOptions } from './browser.ts';
import { newUser } from './people.ts';

interface PortalOptions extends Omit<PageOptions, 'origin'> {
  path?: string;
  /** Default: ADMIN. */
  role?: 'SUPER_ADMIN' | 'ADMIN' | 'USER' | 'VIEWER';
  /** The user has the checklist of the first hour, which others have put away. */
  firstHour?: boolean;
}

/** A page of the portal, in a browser in which a user is logged in. */
export async function portalPage(
  t: TestContext,
  app: TestApp,
  { path = '/', role = 'ADMIN', firstHour = false, ...options }: PortalOptions = {},
): Promise<Page> {
  const page = await openPage(t, { ...options, origin: app.url });
  const user = await newUser(app, { role });
  if (!firstHour) {
    const putAway = { name: `away:${user.id}`, at: user.createdAt, details: null } as const;
    await app.runtime.firstHourStore.note(user.tenantId, putAway);
  }
  const { token } = await app.runtime.sessions.open(user, { address: 'a test' });
  await page.context().addCookies([{ name: 'ar_session', value: token, url: app.url, sameSite: 'Strict' }]);
  await page.goto(app.url + path);
  return page;
}
