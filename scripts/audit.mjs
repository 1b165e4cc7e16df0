// npm run audit:verify, npm run audit:prune -- --before DATE: see src/audit-tool.ts. Exit code 1 when the audit is not whole.
try {
  const { auditTool } = await import('../dist/audit-tool.js');
  process.exitCode = await auditTool(process.env, process.argv.slice(2), { say: console.log, note: console.error });
} catch (error) {
  console.error(
    error.code === 'ERR_MODULE_NOT_FOUND' ? 'The service is not built: run `npm start` or `npm test` once.' : error.message,
  );
  process.exitCode = 2;
}
