import { PageHead } from '../ui/page-head.tsx';

interface NotAllowedProps {
  title: string;
  /** The things that the form would change: "alerts". */
  nouns: string;
}

/** The page of a form for users whose role has no right to save it. */
export function NotAllowed({ title, nouns }: NotAllowedProps) {
  return (
    <>
      <PageHead title={title} />
      <p className="notice">
        Your role lets you look at {nouns}, not change them. An administrator can give you a role that may.
      </p>
    </>
  );
}
