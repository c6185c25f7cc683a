import { serverUrl } from '../../api/client.ts';
import { t } from '../../language/index.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/copy-button.tsx';
import type { Progress } from './progress.ts';

export function ClientStep({ call }: { call: Progress['call'] }) {
  return (
    <div className="stack">
      <p>
        {t(
          'Give this address to Claude, ChatGPT, Cursor, VS Code or another MCP client. It sends you to this server to log in, and you decide what it may do.',
        )}
      </p>
      <CodeBlock text={`${serverUrl}/mcp`} label={t('Address for MCP clients')} />
      <div className="row">
        <ButtonLink look="primary" icon="plug" to="/connect">
          {t('Set a client up')}
        </ButtonLink>
        <span className="muted small">{t('With the lines for each client, and a key where one is needed.')}</span>
      </div>
      <p className="muted small">
        {call
          ? t('The first call was {tool}, by {client}.', { tool: call.tool, client: call.client })
          : t('Then ask it: “What is in my workspace?”')}
      </p>
    </div>
  );
}
