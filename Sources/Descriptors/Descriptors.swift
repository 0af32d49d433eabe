// Descriptors
