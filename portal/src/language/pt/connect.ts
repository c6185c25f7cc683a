/** MCP clients and applications. */
export const connect = {};
