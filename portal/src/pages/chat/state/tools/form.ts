import { checkedTools, type FunctionTool } from './text.ts';

/** A resource of a connector, as a tool. */
export interface ConnectorTool {
  connector: string;
  resource: string;
  tool: FunctionTool;
}

/** The tools of a conversation. */
export interface ToolsForm {
  /** Functions whose results people write: a list in JSON. */
  text: string;
  connectors: readonly ConnectorTool[];
  /** Vector stores that the model may search. */
  stores: readonly string[];
}

export const NO_TOOLS: ToolsForm = { text: '', connectors: [], stores: [] };

/** Who answers a call. */
export type Answering =
  | { kind: 'hand' }
  | { kind: 'connector'; connector: string; resource: string }
  | { kind: 'store'; store: string };

const LONGEST_NAME = 64;
const SEARCH = 'search_';

/** The function with which the model searches a store. */
export function searchTool(store: string): FunctionTool {
  return {
    type: 'function',
    function: {
      name: (SEARCH + store.replace(/[^\w-]/g, '_')).slice(0, LONGEST_NAME),
      description: `Searches the documents of "${store}". Answers with passages and their sources. Cite the sources that you use.`,
      parameters: {
        type: 'object',
        properties: { query: { type: 'string', description: 'What to look for, in words or as a question.' } },
        required: ['query'],
      },
    },
  };
}

/** All tools, as a request sends them. */
export function toolsOf({ text, connectors, stores }: ToolsForm): FunctionTool[] {
  return [...checkedTools(text).tools, ...connectors.map(({ tool }) => tool), ...stores.map(searchTool)];
}

/** Finds who answers a call of a function with this name. */
export function answeringOf({ connectors, stores }: ToolsForm, name: string): Answering {
  const found = connectors.find(({ tool }) => tool.function.name === name);
  if (found) return { kind: 'connector', connector: found.connector, resource: found.resource };
  const store = stores.find((one) => searchTool(one).function.name === name);
  return store === undefined ? { kind: 'hand' } : { kind: 'store', store };
}
