import { CodeBlock } from '../../ui/copy-button.tsx';

/** Hosts that support OAuth need the address alone. */
export function LoginPanel({ url }: { url: string }) {
  return (
    <>
      <p>
        Give this address to claude.ai, ChatGPT, Claude Code, VS Code, Cursor or another host as a remote MCP server. It
        opens a page of this server, on which you log in and decide what it may do.
      </p>
      <CodeBlock text={url} label="Address" />
      {isThisMachine() && (
        <p className="small muted">
          Hosts on other computers and in the internet need an https address of this server: see{' '}
          <code>docs/login.md</code>.
        </p>
      )}
    </>
  );
}

function isThisMachine(): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(window.location.hostname);
}
