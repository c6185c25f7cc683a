import { createApiReference } from '@scalar/api-reference';
import '@scalar/api-reference/style.css';
import { keepAccessible } from './accessible.ts';
import './reference.css';

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
