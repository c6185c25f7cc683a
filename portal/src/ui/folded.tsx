import { type ReactNode, useState } from 'react';

interface FoldedProps {
  summary: ReactNode;
  className?: string;
  /** Opens it when it becomes true. */
  isOpen?: boolean;
  /** Makes the content, when it is opened for the first time. */
  children(): ReactNode;
}

/** A part of a page that is shown on request. A long transcript is made of many: each costs nothing until then. */
export function Folded({ summary, className = 'folded', isOpen, children }: FoldedProps) {
  const [wasOpened, setOpened] = useState(false);
  return (
    <details className={className} open={isOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{summary}</summary>
      {wasOpened && <div className="stack tight folded-content">{children()}</div>}
    </details>
  );
}
