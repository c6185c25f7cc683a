import { useState } from 'react';
import { basePath } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/copy-button.tsx';
import { curlOf } from './state/text.ts';

const WAYS = [
  { value: 'mcp', label: 'MCP' },
  { value: 'rest', label: 'REST' },
  { value: 'json', label: 'JSON' },
] as const;

interface AskElsewhereProps {
  question: object;
  /** The path of the endpoint that answers the question. */
  path: string;
  /** The MCP tool that answers the question. */
  tool: string;
  /** The authentication header, unless an API key works. */
  header?: string;
}

/** The page's question as an MCP call, a shell command and JSON. */
export function AskElsewhere({ question, path, tool, header }: AskElsewhereProps) {
  const [way, setWay] = useState<(typeof WAYS)[number]['value']>('mcp');
  const json = JSON.stringify(question);
  const address = `${window.location.origin}${basePath.replace(/\/$/, '')}${path}`;
  const shown: Record<typeof way, [text: string, label: string]> = {
    mcp: [`Call ${tool} ${json} and tell me what it says.`, 'The question for an agent'],
    rest: [curlOf(address, question, header), 'The command for a shell'],
    json: [JSON.stringify(question, null, 2), 'The question as JSON'],
  };
  const [text, label] = shown[way];
  return (
    <section className="panel padded stack tight" aria-label="Ask elsewhere">
      <h2>Ask elsewhere</h2>
      {/* Buttons: the library's tabs weigh more than the whole form. */}
      <fieldset className="row" aria-label="Where to ask">
        {WAYS.map(({ value, label: name }) => (
          <Button key={value} aria-pressed={value === way} onClick={() => setWay(value)}>
            {name}
          </Button>
        ))}
      </fieldset>
      {way === 'mcp' && <p className="small muted">An agent that is connected to Agent Runtime takes this as it is.</p>}
      <CodeBlock text={text} label={label} />
    </section>
  );
}
