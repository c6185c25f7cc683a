import { createApiReference } from '@scalar/api-reference';
import '@scalar/api-reference/style.css';
import { keepAccessible } from './accessible.ts';
import './reference.css';

const place = document.getElementById('reference')!;
const description = new URL(place.dataset.document!, location.href);

/** The API is beside its description, also below the path of a proxy. */
const server = new URL('.', description).href.replace(/\/$/, '');

createApiReference(place, {
  url: description.href,
  servers: [{ url: server }],
  // Nothing is asked from another origin, and keys are gone with the page.
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
