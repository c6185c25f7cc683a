import { type ReactNode, useEffect } from 'react';
import { CodeBlock } from '../ui/copy-button.tsx';
import { PageHead } from '../ui/page-head.tsx';

export interface NewSecret {
  url: string;
  secret: string;
}

interface NewSecretsProps {
  secrets: readonly NewSecret[];
  /** The link that leads on. */
  children: ReactNode;
}

/** The signing secrets that saving made, in place of the form: nothing closes it by accident. */
export function NewSecrets({ secrets, children }: NewSecretsProps) {
  // The button that had the focus is gone.
  useEffect(() => document.querySelector<HTMLElement>('main h1')?.focus(), []);
  return (
    <div className="narrow">
      <PageHead title="Copy the new secrets" />
      <section className="panel padded stack" aria-label="New secrets">
        <p>
          It is saved. Each webhook signs its requests with a secret, by which the receiver knows that they come from
          here. <strong>The secrets are shown only now.</strong>
        </p>
        {secrets.map(({ url, secret }) => (
          <div key={secret} className="stack tight">
            <p className="breaking">{url}</p>
            <CodeBlock text={secret} label={`Secret of ${url}`} />
          </div>
        ))}
        <div className="row">{children}</div>
      </section>
    </div>
  );
}
