/*
 * Stands in for the MCP SDK's own choices for Node.js. The bridge passes messages on without looking into them, so the
 * JSON Schema validators, half of the bundle otherwise, stay out of it. When the SDK wants more of this module than it
 * has, the build fails.
 */

export { default as process } from 'node:process';

export const CORS_IS_POSSIBLE = false;

export class DefaultJsonSchemaValidator {
  constructor() {
    throw new Error('The bridge has no JSON Schema validator.');
  }
}
