/** How the page looks: the harness's own tokens for colours, so that it follows its themes. */

window.__ModuleLoader__.load({
  id: 'fanseek-dsh',
  chunk: 'client.look.js',
  factory: () => {
    const CSS = `
.fanseek { display: grid; gap: 28px; font-size: 13px; line-height: 1.5; color: var(--dsw-alias-label-primary); }
.fanseek h3, .fanseek h4 { margin: 0; font-weight: 600; }
.fanseek h3 { font-size: 15px; }
.fanseek h4 { font-size: 13px; }
.fanseek p { margin: 0; overflow-wrap: anywhere; }
.fanseek section { display: grid; gap: 12px; }
.fanseek-quiet { color: var(--dsw-alias-label-tertiary); font-size: 12px; }
.fanseek-bad { color: var(--dsw-alias-state-error-primary); font-size: 12px; }
.fanseek-line { display: flex; flex-wrap: wrap; gap: 8px 12px; align-items: center; }
.fanseek-line > :first-child { margin-inline-end: auto; }
.fanseek-card { display: grid; gap: 10px; padding: 12px 14px; border: 1px solid var(--dsw-alias-border-l2); border-radius: 10px; }
.fanseek-warning { border-color: var(--dsw-alias-state-warn-primary); background: var(--dsw-alias-state-warn-tertiary); }
.fanseek-fields { display: grid; gap: 14px; }
.fanseek-field { display: grid; grid-template-columns: minmax(0, 1fr) minmax(150px, 240px); gap: 2px 16px; align-items: start; }
.fanseek-field > label, .fanseek-label { font-weight: 500; }
.fanseek-field > .fanseek-control { grid-column: 2; grid-row: 1 / span 2; display: grid; gap: 4px; justify-items: stretch; }
.fanseek-field > .fanseek-notes { grid-column: 1; }
.fanseek-row { display: flex; gap: 8px; align-items: center; }
.fanseek-row > input, .fanseek-row > select { flex: 1 1 auto; min-width: 0; }
.fanseek input, .fanseek select { box-sizing: border-box; width: 100%; padding: 5px 8px; font: inherit; color: inherit;
  background: var(--dsw-alias-bg-layer-1); border: 1px solid var(--dsw-alias-border-l3); border-radius: 6px; }
.fanseek input[aria-invalid="true"] { border-color: var(--dsw-alias-state-error-primary); }
.fanseek button { padding: 4px 10px; font: inherit; color: inherit; cursor: pointer; white-space: nowrap;
  background: transparent; border: 1px solid var(--dsw-alias-border-l3); border-radius: 6px; }
.fanseek button:hover:enabled { background: var(--dsw-alias-interactive-bg-hover); }
.fanseek :disabled { opacity: 0.5; cursor: default; }
.fanseek :focus-visible { outline: 2px solid var(--dsw-alias-link); outline-offset: 2px; }
.fanseek a { color: var(--dsw-alias-link); white-space: nowrap; }
.fanseek summary { cursor: pointer; }
.fanseek details[open] > summary { margin-bottom: 12px; }
.fanseek button[role="switch"] { position: relative; width: 36px; height: 20px; padding: 0; justify-self: start;
  border-radius: 10px; background: var(--dsw-alias-border-l3); }
.fanseek button[role="switch"]:hover:enabled { background: var(--dsw-alias-label-tertiary); }
.fanseek button[role="switch"]::after { content: ""; position: absolute; inset-block-start: 2px; inset-inline-start: 2px;
  width: 14px; height: 14px; border-radius: 50%; background: var(--dsw-alias-bg-base); }
.fanseek button[role="switch"][aria-checked="true"], .fanseek button[role="switch"][aria-checked="true"]:hover:enabled {
  background: var(--dsw-alias-state-success-primary); }
.fanseek button[role="switch"][aria-checked="true"]::after { inset-inline-start: 18px; }
.fanseek-state::before { content: ""; display: inline-block; width: 8px; height: 8px; margin-inline-end: 6px; border-radius: 50%;
  background: var(--dsw-alias-border-l3); }
.fanseek-state[data-state="ready"]::before { background: var(--dsw-alias-state-success-primary); }
.fanseek-state[data-state="cooling"]::before, .fanseek-state[data-state="no-key"]::before {
  background: var(--dsw-alias-state-warn-primary); }
.fanseek-state[data-state="failing"]::before { background: var(--dsw-alias-state-error-primary); }
.fanseek table { width: 100%; border-collapse: collapse; table-layout: auto; }
.fanseek caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.fanseek th, .fanseek td { padding: 4px 12px 4px 0; text-align: start; vertical-align: top; border-bottom: 1px solid var(--dsw-alias-border-l1); }
.fanseek th { font-weight: 500; color: var(--dsw-alias-label-secondary); }
.fanseek td:nth-child(2) { overflow-wrap: anywhere; }
.fanseek [data-test-result]:empty { position: absolute; }
.fanseek-said { position: sticky; bottom: 12px; justify-self: start; padding: 6px 12px; border-radius: 8px;
  color: var(--dsw-alias-label-primary); background: var(--dsw-alias-bg-layer-3); border: 1px solid var(--dsw-alias-border-l2); }
.fanseek-said:empty { visibility: hidden; }
@media (max-width: 560px) { .fanseek-field { grid-template-columns: minmax(0, 1fr); }
  .fanseek-field > .fanseek-control { grid-column: 1; grid-row: auto; } }
`;

    /** The style goes with the page it is for. */
    return { make: ({ h }) => ({ Look: () => h('style', null, CSS) }) };
  },
});
