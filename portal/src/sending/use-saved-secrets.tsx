import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { ButtonLink } from '../ui/button.tsx';
import { CodeBlock } from '../ui/copy-button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { announce } from '../ui/toast.tsx';
import type { SendingNoun } from './page-actions.tsx';

export interface Saved {
  id: string;
  newSecrets: readonly { url: string; secret: string }[];
}

/** Leads on after an alert or a digest is saved: to its page, or first, in place of the form, to its new secrets. */
export function useSavedSecrets(noun: SendingNoun, isNew: boolean, invalidate: () => Promise<void>) {
  const navigate = useNavigate();
  const [saved, setSaved] = useState<Saved | null>(null);
  const pageOf = ({ id }: Saved) => ({ to: `/${noun}s/$id`, params: { id } }) as const;
  const onSaved = async (result: Saved) => {
    announce(`The ${noun} was ${isNew ? 'created' : 'saved'}`);
    if (result.newSecrets.length > 0) setSaved(result);
    else await navigate(pageOf(result));
    await invalidate();
  };
  const secrets = saved && (
    <NewSecrets secrets={saved.newSecrets}>
      <ButtonLink look="primary" {...pageOf(saved)}>
        I have copied them
      </ButtonLink>
    </NewSecrets>
  );
  return { secrets, onSaved };
}

interface NewSecretsProps {
  secrets: Saved['newSecrets'];
  /** The link that leads on. */
  children: ReactNode;
}

/** The signing secrets that saving made, in place of the form: nothing closes it by accident. */
function NewSecrets({ secrets, children }: NewSecretsProps) {
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
