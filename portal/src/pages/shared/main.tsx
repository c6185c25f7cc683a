import '../../style/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Shared } from './page.tsx';

/*
 * A document of its own, without router and session: other sites may frame it, and no page of the portal must be reached
 * from within their frame.
 */
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <Shared address={window.location.pathname.replace(/\/$/, '')} />
  </StrictMode>,
);
