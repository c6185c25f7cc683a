/*
 * Replaces the MCP SDK's shims for Node.js. The bridge forwards messages without validation, so the
 * JSON Schema validators, half of the bundle otherwise, are left out. The build fails if the SDK
 * needs more of this module.
 */

export { default as process } from 'node:process';

export const CORS_IS_POSSIBLE = false;

export class DefaultJsonSchemaValidator {
  constructor() {
    throw new Error('The bridge has no JSON Schema validator.');
  }
}
