/** The environment a worker is started in: what Python and the network need, and none of the harness's keys. */

const EXACT = new Set([
  'PATH', 'HOME', 'TMP', 'TEMP', 'TMPDIR', 'SYSTEMROOT', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'USERPROFILE', 'APPDATA',
  'LOCALAPPDATA', 'PATHEXT', 'SSL_CERT_FILE', 'SSL_CERT_DIR',
]);

/**
 * The allowed part of `environment`; names count in upper case, for Windows and for `https_proxy`. The folder the
 * harness works in is no place for Python to look for modules.
 */
export function allowed(environment) {
  const kept = {};
  for (const [name, value] of Object.entries(environment)) {
    const upper = name.toUpperCase();
    if (value !== undefined && (EXACT.has(upper) || upper.endsWith('_PROXY'))) kept[name] = value;
  }
  return { ...kept, PYTHONUTF8: '1', PYTHONSAFEPATH: '1' };
}
