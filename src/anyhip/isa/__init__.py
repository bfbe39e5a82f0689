"""AMD machine code as instructions: opcode tables, decoding and disassembly. Executes nothing, imports no LLVM."""
