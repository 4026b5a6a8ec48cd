// Loaded into each service that a test starts: it ends with the process of the test, however that ends.

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
