import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { accessibilityFaults, scrollsSideways } from '../support/browser.ts';
import { type DemoApp, demoApp } from '../support/demo.ts';
import { scopeOfThisFile } from '../support/shared.ts';

export function demoOfThisFile(): () => Promise<DemoApp> {
  const scope = scopeOfThisFile();
  let app: Promise<DemoApp> | undefined;
  return () => {
    app ??= demoApp(scope);
    return app;
  };
}

export async function fill(page: Page, label: string, value: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await field.fill(value);
  await field.press('Escape');
}

/** Waits until the page says it to screen readers. */
export function announced(page: Page, text: string | RegExp): Promise<void> {
  return page.getByRole('status').getByText(text).waitFor();
}

/** Waits until the element has the focus. */
export function focused(element: Locator): Promise<void> {
  return element.and(element.page().locator(':focus')).waitFor();
}

export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

/** Axe finds nothing, and nothing scrolls sideways. */
export async function assertFits(page: Page): Promise<void> {
  assert.ok(!(await scrollsSideways(page)));
  assert.deepEqual(await accessibilityFaults(page), []);
}
