import { createApiReference } from '@scalar/api-reference';
import '@scalar/api-reference/style.css';
import './reference.css';

/*
 * Repairs of the library's elements, mostly for screen readers. Remove a repair when the library has it;
 * tests/portal/reference.test.ts lists the remaining faults.
 */

const EDITOR = '.code-input-lite__editor';

const REPAIRS: [selector: string, repair: (element: HTMLElement) => void][] = [
  // Instead of a base64 text that looks like a key.
  ['input[placeholder^=QUxM]', (one) => one.setAttribute('placeholder', 'Your key')],
  [`${EDITOR}:not([aria-label])`, (one) => one.setAttribute('aria-label', one.dataset.placeholder ?? 'Value')],
  [`${EDITOR}[role=combobox]:not([aria-expanded])`, (one) => one.setAttribute('aria-expanded', 'false')],
  ['.cm-content:not([aria-label])', (one) => one.setAttribute('aria-label', 'Text')],
  ['.group\\/copy-button:not([aria-label])', (one) => one.setAttribute('aria-label', 'Copy')],
  // `aria-controls` names an element that does not exist.
  ['.group\\/copy-button.relative[aria-controls]', (one) => one.removeAttribute('aria-controls')],
  ['button[role=none]', (one) => one.removeAttribute('role')],
  ['.show-more[aria-label^="Show all"]', (one) => one.setAttribute('aria-label', `Show More: ${one.ariaLabel}`)],
];

/** Repairs the elements below `root`, now and whenever elements are added. */
function keepAccessible(root: HTMLElement): void {
  const repairAll = () => {
    for (const [selector, repair] of REPAIRS) root.querySelectorAll<HTMLElement>(selector).forEach(repair);
  };
  new MutationObserver(repairAll).observe(root, { childList: true, subtree: true });
  repairAll();
}

const place = document.getElementById('reference')!;
const description = new URL(place.dataset.document!, location.href);

/** The API has the base URL of its description, also behind a proxy with a path. */
const server = new URL('.', description).href.replace(/\/$/, '');

createApiReference(place, {
  url: description.href,
  servers: [{ url: server }],
  // No request goes to another origin, and the page does not store keys.
  telemetry: false,
  withDefaultFonts: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  authentication: { preferredSecurityScheme: 'apiKey' },
  documentDownloadType: 'direct',
  defaultOpenFirstTag: false,
  orderSchemaPropertiesBy: 'preserve',
  operationTitleSource: 'summary',
});

keepAccessible(document.body);
