"""AMD machine code as instructions: opcode tables, decoding, disassembly. Executes nothing."""
