// VolumeInput
