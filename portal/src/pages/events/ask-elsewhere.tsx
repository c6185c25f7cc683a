import { useState } from 'react';
import { basePath } from '../../api/client.ts';
import { CodeBlock } from '../../ui/copy-button.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { curlOf } from './question-text.ts';

const TABS = [
  { value: 'mcp', label: 'MCP' },
  { value: 'rest', label: 'REST' },
  { value: 'json', label: 'JSON' },
] as const;

interface AskElsewhereProps {
  question: object;
  /** Of the endpoint that takes it. */
  path: string;
  /** The MCP tool that takes it. */
  tool: string;
  /** What the endpoint authenticates by, unless an API key. */
  header?: string;
}

/** The same question for an agent, a program or another person. */
export function AskElsewhere({ question, path, tool, header }: AskElsewhereProps) {
  const [tab, setTab] = useState<string>('mcp');
  const json = JSON.stringify(question);
  const address = `${window.location.origin}${basePath.replace(/\/$/, '')}${path}`;
  const shown: Record<string, [text: string, label: string]> = {
    mcp: [`Call ${tool} ${json} and tell me what it says.`, 'The question for an agent'],
    rest: [curlOf(address, question, header), 'The command for a shell'],
    json: [JSON.stringify(question, null, 2), 'The question as JSON'],
  };
  const [text, label] = shown[tab]!;
  return (
    <section className="panel padded stack tight" aria-label="Ask elsewhere">
      <h2>Ask elsewhere</h2>
      <Tabs label="Where to ask" value={tab} tabs={TABS} onChoose={setTab}>
        <div className="stack tight">
          {tab === 'mcp' && (
            <p className="small muted">An agent that is connected to Agent Runtime takes this as it is.</p>
          )}
          <CodeBlock text={text} label={label} />
        </div>
      </Tabs>
    </section>
  );
}
